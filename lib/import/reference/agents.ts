import { type ImportTarget, readHeads } from '../../store/import-target.ts';
import { keys } from '../../store/keys.ts';

/** The ids of all agents that a site knows, deleted ones too. */
export async function agentIds(target: Pick<ImportTarget, 'site' | 'table' | 'collections'>): Promise<number[]> {
  const partition = keys.reference(target.site, 'agent');
  const open = await readHeads({ ...target, now: 0 }, [partition]);
  const { items } = await open(partition);
  return [...items.values()].flatMap(({ id }) => (typeof id === 'number' ? [id] : []));
}
