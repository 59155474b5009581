import { ownJson } from '../../own-json.ts';
import type { Collection } from '../../store/collection.ts';
import { type ImportTarget, readHeads } from '../../store/import-target.ts';
import { keys, type Partition } from '../../store/keys.ts';
import { replan } from '../../store/replan.ts';
import type { Item } from '../../store/table.ts';

/** A member whose id may reveal its name, and the id that replaces it. */
interface Renumbered {
  readonly id: number;
  readonly standIn: number;
}

const AT_ONCE = 20; // items in one transaction: a saved report or a board has up to 130 KB

/**
 * Puts stand-ins in the place of ids wherever people chose a member: in saved reports, in the filters of boards and
 * promises, in actions of macros. The ids are so large that no other number is taken for one.
 */
export async function useStandIns(target: ImportTarget, members: readonly Renumbered[]): Promise<void> {
  const renumbered = members.filter(({ id, standIn }) => id !== standIn);
  if (renumbered.length === 0) return;
  const { site } = target;
  const { items } = await opened(target, keys.macros(site));
  const actions = [...items.values()].map(({ id }) => keys.actions(site, Number(id)));
  const places = [keys.savedReports(site), keys.boards(site), keys.reference(site, 'sla_policy'), ...actions];
  for (const partition of places) await replan(() => renumber(target, partition, renumbered));
}

const opened = async (target: ImportTarget, partition: Partition): Promise<Collection> =>
  (await readHeads(target, [partition]))(partition);

async function renumber(target: ImportTarget, partition: Partition, renumbered: readonly Renumbered[]): Promise<void> {
  const collection = await opened(target, partition);
  const put: Item[] = [];
  for (const item of collection.items.values()) {
    const before = JSON.stringify(item);
    const after = renumbered.reduce(withStandIn, before);
    if (after !== before) put.push(ownJson<Item>(after));
  }
  for (let at = 0; at < put.length; at += AT_ONCE)
    await target.collections.commit(target.table, [{ collection, put: put.slice(at, at + AT_ONCE) }]);
}

/** A JSON text with the stand-in in the place of the id, whether that is a number or a text of its digits. */
const withStandIn = (json: string, { id, standIn }: Renumbered): string =>
  json.replaceAll(new RegExp(`(?<![\\d.])${id}(?![\\d.])`, 'g'), String(standIn));
