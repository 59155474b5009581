import { type ImportTarget, readHeads } from '../../store/import-target.ts';
import { keys } from '../../store/keys.ts';

/** Returns the ids of all agents of a site, deleted ones too. */
export async function agentIds(target: Pick<ImportTarget, 'site' | 'table' | 'collections'>): Promise<number[]> {
  const partition = keys.reference(target.site, 'agent');
  const open = await readHeads({ ...target, now: 0 }, [partition]);
  const { items } = await open(partition);
  return [...items.values()].flatMap(({ id }) => (typeof id === 'number' ? [id] : []));
}
