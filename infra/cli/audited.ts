import { randomUUID } from 'node:crypto';
import { type AuditEntry, audited, serviceEntry } from '../../lib/access/audit.ts';
import { type Telling, telling } from '../../lib/access/telling.ts';
import { type Beside, transactOnce } from '../../lib/store/once.ts';
import type { Table, Write } from '../../lib/store/table.ts';

/** What a command did, as the audit tells it. */
export type Told = Pick<AuditEntry, 'action' | 'resource'> & Partial<Pick<AuditEntry, 'fields' | 'count'>>;

/** The audit of what is done to sites as wholes: no site has an empty name. */
export const DEPLOYMENT = '';

const entryOf = (told: Told): AuditEntry => serviceEntry(told, { id: randomUUID(), at: Date.now() });

/** An entry that goes beside the change that it tells of. */
export const toldBeside = (site: string, told: Told): Beside => audited(site, entryOf(told));

/** Does the writes of a command in one transaction with their entry. Throws `ConditionFailed` where somebody else was first. */
export async function writeTold(table: Table, site: string, writes: readonly Write[], told: Told): Promise<void> {
  await transactOnce(table, writes, toldBeside(site, told));
}

/** The table for a command of many writes: its entry goes with the first of them. */
export const tellingTable = (table: Table, site: string, told: Told): Telling => telling(table, site, entryOf(told));
