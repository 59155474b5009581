import { ConditionFailed } from '../store/faults.ts';
import { keys } from '../store/keys.ts';
import type { Table } from '../store/table.ts';

export const MOST_RINGS = 10_000; // cases that wait

/** A case that the help desk rang for. */
export interface Ring {
  readonly id: string;
  readonly mark: string; // another text after every ring
}

/** Lists the cases that wait. */
export async function listRings(table: Table, site: string, limit = MOST_RINGS): Promise<Ring[]> {
  const items = await table.query(keys.rings(site).pk, { prefix: keys.ring(site, '').sk, limit });
  return items.map(({ sk, mark }) => ({ id: sk.slice(keys.ring(site, '').sk.length), mark: String(mark) }));
}

/** Forgets rings of cases that were fetched; one that came again meanwhile stays. */
export async function endRings(table: Table, site: string, rings: readonly Ring[]): Promise<void> {
  for (const { id, mark } of rings)
    await table.delete(keys.ring(site, id), { attribute: 'mark', equals: mark }).catch((error: unknown) => {
      if (!(error instanceof ConditionFailed)) throw error;
    });
}

/** Forgets all rings. */
export async function dropRings(table: Table, site: string): Promise<void> {
  const items = await table.query(keys.rings(site).pk, { attributes: [] });
  await table.batchWrite(items.map((key) => ({ delete: key })));
}
