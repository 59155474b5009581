import { randomUUID } from 'node:crypto';
import { type AuditEntry, audited, serviceEntry } from '../../lib/access/audit.ts';
import { type AuditedTable, auditedTable } from '../../lib/access/audited-table.ts';
import { type ExtraWrites, transactOnce } from '../../lib/store/once.ts';
import type { Table, Write } from '../../lib/store/table.ts';

/** A command's action, as its entry in the audit names it. */
export type CommandEntry = Pick<AuditEntry, 'action' | 'resource'> & Partial<Pick<AuditEntry, 'fields' | 'count'>>;

/** The site name of audit entries about whole sites: no site has an empty name. */
export const DEPLOYMENT = '';

const entryOf = (entry: CommandEntry): AuditEntry => serviceEntry(entry, { id: randomUUID(), at: Date.now() });

/** A command's entry, as a part of the transaction that makes the change. */
export const besideOf = (site: string, entry: CommandEntry): ExtraWrites => audited(site, entryOf(entry));

/**
 * Writes a command's changes and its entry in one transaction. Throws `ConditionFailed` if another write came first.
 */
export async function writeAudited(
  table: Table,
  site: string,
  writes: readonly Write[],
  entry: CommandEntry,
): Promise<void> {
  await transactOnce(table, writes, besideOf(site, entry));
}

/** The table for a command of many writes: its first write also writes the command's entry. */
export const commandTable = (table: Table, site: string, entry: CommandEntry): AuditedTable =>
  auditedTable(table, site, entryOf(entry));
