import { ownJson } from '../../own-json.ts';
import { keys } from '../../store/keys.ts';
import { changeItems, openCollection, type SiteTable } from '../../store/site-table.ts';
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
export async function useStandIns(target: SiteTable, members: readonly Renumbered[]): Promise<void> {
  const renumbered = members.filter(({ id, standIn }) => id !== standIn);
  if (renumbered.length === 0) return;
  const { site } = target;
  const { items } = await openCollection(target, keys.macros(site));
  const actions = [...items.values()].map(({ id }) => keys.actions(site, Number(id)));
  const places = [keys.savedReports(site), keys.boards(site), keys.reference(site, 'sla_policy'), ...actions];
  const withStandIns = (item: Item): Item => {
    const before = JSON.stringify(item);
    const after = renumbered.reduce(withStandIn, before);
    return after === before ? item : ownJson<Item>(after);
  };
  for (const partition of places) await changeItems(target, partition, AT_ONCE, withStandIns);
}

/** A JSON text with the stand-in in the place of the id, whether that is a number or a text of its digits. */
const withStandIn = (json: string, { id, standIn }: Renumbered): string =>
  json.replaceAll(new RegExp(`(?<![\\d.])${id}(?![\\d.])`, 'g'), String(standIn));
