import { type ImportTarget, openCollection } from '../../store/import-target.ts';
import { keys } from '../../store/keys.ts';

/** Returns the ids of all agents of a site, deleted ones too. */
export async function agentIds(target: Pick<ImportTarget, 'site' | 'table' | 'collections'>): Promise<number[]> {
  const { items } = await openCollection(target, keys.reference(target.site, 'agent'));
  return [...items.values()].flatMap(({ id }) => (typeof id === 'number' ? [id] : []));
}
