import type { Table, Write } from '../store/table.ts';
import { type AuditEntry, auditItem } from './audit.ts';

const MOST_WRITES = 99; // of a transaction that an entry fits beside

/** A table on which nothing changes untold, and what completes the entry. */
export interface Telling {
  readonly table: Table;
  /** Adds to the entry how many things changed, where any did. */
  readonly counted: (count: number) => Promise<void>;
}

/**
 * The same table for work that takes many writes: the first of them bears the audit's entry, in one transaction where it can be
 * one. So a change is told from the moment it can be seen, even if the process dies; and work that writes nothing tells nothing.
 */
export function telling(table: Table, site: string, entry: AuditEntry): Telling {
  const item = auditItem(site, entry);
  let isTold = false;
  const tellIn = async (under: Table, writes: readonly Write[]): Promise<void> => {
    await under.transact([...writes, { put: item }]);
    isTold = true;
  };
  const over = (under: Table): Table => ({
    ...under,
    metered: (usage) => over(under.metered(usage)),
    put: async (put, when, options) => {
      if (isTold) return under.put(put, when, options);
      if (options === undefined) return tellIn(under, [when === undefined ? { put } : { put, when }]);
      await tellIn(under, []);
      return under.put(put, when, options);
    },
    delete: async (key, when) =>
      isTold ? under.delete(key, when) : tellIn(under, [when === undefined ? { delete: key } : { delete: key, when }]),
    transact: async (writes) => {
      if (isTold) return under.transact(writes);
      if (writes.length <= MOST_WRITES) return tellIn(under, writes);
      await tellIn(under, []);
      return under.transact(writes);
    },
    batchWrite: async (writes) => {
      if (!isTold && writes.length > 0) await tellIn(under, []);
      return under.batchWrite(writes);
    },
  });
  const counted = async (count: number): Promise<void> => {
    if (isTold) await table.put(auditItem(site, { ...entry, count }));
  };
  return { table: over(table), counted };
}
