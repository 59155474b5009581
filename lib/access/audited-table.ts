import type { Table, Write } from '../store/table.ts';
import { type AuditEntry, auditItem } from './audit.ts';

const MOST_WRITES = 99; // in a transaction that has room for the entry

/** A table whose first write also writes an entry of the audit. */
export interface AuditedTable {
  readonly table: Table;
  /** Adds to the entry how many things changed; does nothing if nothing was written. */
  readonly counted: (count: number) => Promise<void>;
}

/**
 * Wraps a table for work of many writes: the first write also writes the audit's entry, in the same transaction if it
 * can be one, else just before. So a visible change always has its entry, even if the process dies, and work that
 * writes nothing leaves none.
 */
export function auditedTable(table: Table, site: string, entry: AuditEntry): AuditedTable {
  const item = auditItem(site, entry);
  let isWritten = false;
  const writeEntry = async (under: Table, writes: readonly Write[]): Promise<void> => {
    await under.transact([...writes, { put: item }]);
    isWritten = true;
  };
  const over = (under: Table): Table => ({
    ...under,
    metered: (usage) => over(under.metered(usage)),
    put: async (put, when, options) => {
      if (isWritten) return under.put(put, when, options);
      if (options === undefined) return writeEntry(under, [when === undefined ? { put } : { put, when }]);
      await writeEntry(under, []);
      return under.put(put, when, options);
    },
    delete: async (key, when) =>
      isWritten
        ? under.delete(key, when)
        : writeEntry(under, [when === undefined ? { delete: key } : { delete: key, when }]),
    add: async (key, amounts, ttl) => {
      if (!isWritten) await writeEntry(under, []);
      return under.add(key, amounts, ttl);
    },
    transact: async (writes) => {
      if (isWritten) return under.transact(writes);
      if (writes.length <= MOST_WRITES) return writeEntry(under, writes);
      await writeEntry(under, []);
      return under.transact(writes);
    },
    batchWrite: async (writes) => {
      if (!isWritten && writes.length > 0) await writeEntry(under, []);
      return under.batchWrite(writes);
    },
  });
  const counted = async (count: number): Promise<void> => {
    if (isWritten) await table.put(auditItem(site, { ...entry, count }));
  };
  return { table: over(table), counted };
}
