import type { Forgotten } from '../access/forget-in-audit.ts';
import { normalizeLogin } from '../access/users.ts';
import { createCollections } from '../store/collection.ts';
import { keys } from '../store/keys.ts';
import { replan } from '../store/replan.ts';
import { changeItems } from '../store/site-table.ts';
import type { Item, Table } from '../store/table.ts';
import { deliveryIn } from './delivery.ts';
import { commonOf, parseMailing } from './mailing.ts';

/**
 * Takes erased people from a site's subscriptions, alerts, links to boards and what was delivered of them: an owner is an alias, for whom
 * nothing is sent, and recipients go, as do addresses that take no mail. Safe to run again.
 */
export async function forgetInDeliveries(table: Table, site: string, forgotten: Forgotten): Promise<void> {
  const target = { table, collections: createCollections() };
  for (const partition of [keys.subscriptions(site), keys.alerts(site)])
    await changeItems(target, partition, AT_ONCE, (item) => withoutForgotten(item, forgotten));
  await changeItems(target, keys.boardLinks(site), AT_ONCE, (item) => {
    const alias = aliasOf(String(item.owner), forgotten);
    return alias === undefined ? item : { ...item, owner: alias };
  });
  const numbers = await table.query(keys.sharedBoards(site).pk, { prefix: SHARED, attributes: [] });
  for (const item of numbers) await table.delete(item); // they have names
  for (const { sk } of await table.query(keys.deliveries(site).pk))
    await replan(() => forgetInDelivery(table, keys.delivery(site, sk), forgotten));
  for (const login of forgotten.aliases.keys()) await table.delete(keys.endedAddress(site, normalizeLogin(login)));
}

const AT_ONCE = 90; // in one transaction
const SHARED = keys.sharedBoard('', 0).sk.slice(0, -1);

const aliasOf = (login: string, { aliases }: Forgotten): string | undefined => aliases.get(normalizeLogin(login));

function withoutForgotten(item: Item, { aliases }: Forgotten): Item {
  const { owner, recipients, recipient_generations } = commonOf(parseMailing(item));
  const isErased = (login: string): boolean => aliases.has(normalizeLogin(login));
  if (!isErased(owner) && !recipients.some(isErased)) return item;
  return {
    ...item,
    owner: aliases.get(normalizeLogin(owner)) ?? owner,
    recipients: recipients.filter((login) => !isErased(login)),
    recipient_generations: Object.fromEntries(
      Object.entries(recipient_generations).filter(([login]) => !isErased(login)),
    ),
  };
}

/** Takes logins, and a problem with a name, from what was delivered. Who works on it meanwhile reads it again. */
async function forgetInDelivery(
  table: Table,
  key: ReturnType<typeof keys.delivery>,
  { aliases, words }: Forgotten,
): Promise<void> {
  const item = await table.get(key);
  if (item === undefined) return;
  const { sent, ended, problem, pending } = deliveryIn(item).kept;
  const isErased = (login: string): boolean => aliases.has(normalizeLogin(login));
  const left = {
    sent: sent.filter((login) => !isErased(login)),
    ended: ended.filter(({ login }) => !isErased(login)),
    ...(pending && { pending: { ...pending, why: [] } }), // names of agents
    problem: words && problem !== undefined && problem.search(words) >= 0 ? undefined : problem,
  };
  if (
    left.sent.length === sent.length &&
    left.ended.length === ended.length &&
    left.problem === problem &&
    !pending?.why.length
  )
    return;
  const change = `${item.change} without the erased`;
  await table.put({ ...item, ...left, change }, { attribute: 'change', equals: String(item.change) });
}
