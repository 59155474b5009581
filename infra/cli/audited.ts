import { randomUUID } from 'node:crypto';
import { type AuditEntry, serviceEntry } from '../../lib/access/audit.ts';
import { type AuditedTable, auditedTable } from '../../lib/access/audited-table.ts';
import type { Table } from '../../lib/store/table.ts';

/** A command's action, as its entry in the audit names it. */
export type CommandEntry = Pick<AuditEntry, 'action' | 'resource'> & Partial<Pick<AuditEntry, 'fields' | 'count'>>;

/** The site name of audit entries about whole sites: no site has an empty name. */
export const DEPLOYMENT = '';

const entryOf = (entry: CommandEntry): AuditEntry => serviceEntry(entry, { id: randomUUID(), at: Date.now() });

/** The table for a command of many writes: its first write also writes the command's entry. */
export const commandTable = (table: Table, site: string, entry: CommandEntry): AuditedTable =>
  auditedTable(table, site, entryOf(entry));
