import { keys } from '../../store/keys.ts';
import { openCollection, type SiteTable } from '../../store/site-table.ts';

/** Returns the ids of all agents of a site, deleted ones too. */
export async function agentIds(target: Pick<SiteTable, 'site' | 'table' | 'collections'>): Promise<number[]> {
  const { items } = await openCollection(target, keys.reference(target.site, 'agent'));
  return [...items.values()].flatMap(({ id }) => (typeof id === 'number' ? [id] : []));
}
