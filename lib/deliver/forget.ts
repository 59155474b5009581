import { normalizeLogin } from '../access/users.ts';
import { createCollections } from '../store/collection.ts';
import { readHeads } from '../store/import-target.ts';
import { keys, type Partition } from '../store/keys.ts';
import { replan } from '../store/replan.ts';
import type { Item, Table } from '../store/table.ts';
import { deliveryIn } from './delivery.ts';
import { commonOf, thingOf } from './things.ts';

/** Who is erased from what is mailed. */
interface Forgotten {
  readonly aliases: ReadonlyMap<string, string>; // what stands in the place of each login
  readonly words: RegExp | undefined; // finds names and logins; global
}

/**
 * Takes erased people from a site's subscriptions, alerts and what was delivered of them: an owner is an alias, for whom
 * nothing is sent, and recipients go. Safe to run again.
 */
export async function forgetInDeliveries(table: Table, site: string, forgotten: Forgotten): Promise<void> {
  for (const partition of [keys.subscriptions(site), keys.alerts(site)])
    await replan(() => forgetInThings(table, { site, partition }, forgotten));
  for (const { sk } of await table.query(keys.deliveries(site).pk))
    await replan(() => forgetInDelivery(table, keys.delivery(site, sk), forgotten));
}

const AT_ONCE = 90; // things in one transaction

async function forgetInThings(
  table: Table,
  { site, partition }: { readonly site: string; readonly partition: Partition },
  { aliases }: Forgotten,
): Promise<void> {
  const collections = createCollections();
  const collection = await (await readHeads({ site, table, collections, now: 0 }, [partition]))(partition);
  const isErased = (login: string): boolean => aliases.has(normalizeLogin(login));
  const put = [...collection.items.values()].flatMap((item): Item[] => {
    const { owner, recipients } = commonOf(thingOf(item));
    if (!isErased(owner) && !recipients.some(isErased)) return [];
    return [
      {
        ...item,
        owner: aliases.get(normalizeLogin(owner)) ?? owner,
        recipients: recipients.filter((login) => !isErased(login)),
      },
    ];
  });
  for (let at = 0; at < put.length; at += AT_ONCE)
    await collections.commit(table, [{ collection, put: put.slice(at, at + AT_ONCE) }]);
}

/** Takes logins, and a problem with a name, from what was delivered. Who works on it meanwhile reads it again. */
async function forgetInDelivery(
  table: Table,
  key: ReturnType<typeof keys.delivery>,
  { aliases, words }: Forgotten,
): Promise<void> {
  const item = await table.get(key);
  if (item === undefined) return;
  const { sent, ended, problem } = deliveryIn(item).kept;
  const isErased = (login: string): boolean => aliases.has(normalizeLogin(login));
  const left = {
    sent: sent.filter((login) => !isErased(login)),
    ended: ended.filter(({ login }) => !isErased(login)),
    problem: words && problem !== undefined && problem.search(words) >= 0 ? undefined : problem,
  };
  if (left.sent.length === sent.length && left.ended.length === ended.length && left.problem === problem) return;
  const change = `${item.change} without the erased`;
  await table.put({ ...item, ...left, change }, { attribute: 'change', equals: String(item.change) });
}
