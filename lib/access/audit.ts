import * as z from 'zod';
import { keys } from '../store/keys.ts';
import type { ExtraWrites } from '../store/once.ts';
import type { Item, Table } from '../store/table.ts';
import { CREDENTIALS, type Principal } from './principal.ts';
import { normalizeLogin } from './users.ts';

export const AUDIT_ACTIONS = ['create', 'update', 'delete', 'import', 'refuse'] as const;
export const AUDIT_WAYS = ['api', 'command line', 'service'] as const;

export const RETENTION = 400; // days
const DAY = 86_400; // s

export const auditShape = z.object({
  id: z.string(),
  at: z.number(), // epoch ms
  user: z.string().nullable(), // login; null if not done by a user of the site
  via: z.enum(AUDIT_WAYS),
  credential: z.enum(CREDENTIALS).optional(), // what the user signed in with; absent in entries of earlier versions
  token: z.int().optional(), // id of that token or session
  action: z.enum(AUDIT_ACTIONS),
  resource: z.string(), // path below `/api/v2/`, also for the command line: `topics/5`, `users/ann@acme.example`
  fields: z.array(z.string()).readonly(), // names of the fields that were set, never their values
  count: z.number().optional(), // how many things changed, if one entry stands for several
});

/** One entry of the audit: who changed what, and when. */
export type AuditEntry = Readonly<z.infer<typeof auditShape>>;

/** Who acted, as an entry of the audit says it. */
export function auditActor(actor: Principal): Pick<AuditEntry, 'user' | 'via' | 'credential' | 'token'> {
  if (typeof actor === 'string') return { user: null, via: actor === 'operator' ? 'command line' : 'service' };
  const { login: user, credential } = actor;
  const { kind, token } = credential;
  return { user, via: 'api', credential: kind, ...(token !== undefined && { token }) };
}

/**
 * The item of an entry. Written in the transaction of the change, it also proves that the change was done: its id is
 * unique.
 */
export function auditItem(site: string, entry: AuditEntry): Item {
  const { id, at } = entry;
  return {
    ...keys.auditEntry(site, new Date(at).toISOString(), id),
    ...entry,
    ttl: Math.ceil(at / 1000) + RETENTION * DAY,
  };
}

/** An entry as a part of the transaction that makes the change. */
export const audited = (site: string, entry: AuditEntry): ExtraWrites => ({ proof: auditItem(site, entry) });

const parseAuditEntry = (item: Item): AuditEntry => auditShape.parse(item);

/** Which entries to read. Times are ISO 8601. */
export interface AuditQuestion {
  readonly user?: string | undefined; // login, in any case
  readonly resource?: string | undefined; // also matches the resources below it
  readonly min?: string | undefined; // inclusive
  readonly max?: string | undefined; // exclusive
  readonly before?: string | undefined; // sort key: only older entries
  readonly limit: number;
}

const AT_ONCE = 500; // entries read by one query
const MOST_SCANNED = 10_000; // entries scanned for one page: rare entries take several pages

/** Returns entries, the latest first. `last` is the sort key to continue after; undefined at the end. */
export async function readAudit(
  table: Table,
  site: string,
  question: AuditQuestion,
): Promise<{ readonly entries: readonly AuditEntry[]; readonly last: string | undefined }> {
  const { min, max, limit } = question;
  const from = min === undefined ? undefined : new Date(min).toISOString();
  let to = question.before ?? (max === undefined ? undefined : new Date(max).toISOString());
  const entries: AuditEntry[] = [];
  for (let scanned = 0; scanned < MOST_SCANNED; scanned += AT_ONCE) {
    if (from !== undefined && to !== undefined && from > to) return { entries, last: undefined };
    const items = await table.query(keys.audit(site).pk, { from, to, descending: true, limit: AT_ONCE });
    for (const item of items) {
      if (item.sk === to) continue; // the last entry of the previous page
      const entry = parseAuditEntry(item);
      if (!isAsked(entry, question)) continue;
      entries.push(entry);
      if (entries.length === limit) return { entries, last: item.sk };
    }
    if (items.length < AT_ONCE) return { entries, last: undefined };
    to = items.at(-1)?.sk;
  }
  return { entries, last: to };
}

function isAsked(entry: AuditEntry, { user, resource }: AuditQuestion): boolean {
  if (user !== undefined && normalizeLogin(entry.user ?? '') !== normalizeLogin(user)) return false;
  return resource === undefined || entry.resource === resource || entry.resource.startsWith(`${resource}/`);
}

/** An entry of something that an operator or the service itself did. */
export const serviceEntry = (
  what: Pick<AuditEntry, 'action' | 'resource'> & Partial<AuditEntry>,
  { id, at }: Pick<AuditEntry, 'id' | 'at'>,
): AuditEntry => ({ user: null, via: 'command line', fields: [], ...what, id, at });
