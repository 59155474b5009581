import * as z from 'zod';
import { keys } from '../store/keys.ts';
import type { Beside } from '../store/once.ts';
import type { Item, Table } from '../store/table.ts';

export const AUDIT_ACTIONS = ['create', 'update', 'delete', 'import', 'refuse'] as const;
export const AUDIT_WAYS = ['api', 'command line', 'service'] as const;

const KEPT = 400; // days
const DAY = 86_400; // s

const schema = z.object({
  id: z.string(),
  at: z.number(), // epoch ms
  user: z.string().nullable(), // login; null where no user of the site did it
  via: z.enum(AUDIT_WAYS),
  action: z.enum(AUDIT_ACTIONS),
  resource: z.string(), // path below `/api/v2/`, or what the command line calls it: `topics/5`, `users/ann@acme.example`
  fields: z.array(z.string()).readonly(), // what was set; never a value
  count: z.number().optional(), // of what is told in sum
});

/** Who changed what, and when. */
export type AuditEntry = Readonly<z.infer<typeof schema>>;

/** The item of an entry. Put beside the change, it also proves that the change was done: nobody else has its id. */
export function auditItem(site: string, entry: AuditEntry): Item {
  const { id, at } = entry;
  return { ...keys.auditEntry(site, new Date(at).toISOString(), id), ...entry, ttl: Math.ceil(at / 1000) + KEPT * DAY };
}

/** An entry that goes beside the change that it tells of. */
export const audited = (site: string, entry: AuditEntry): Beside => ({ proof: auditItem(site, entry) });

export const parseAuditEntry = (item: Item): AuditEntry => schema.parse(item);

/** Which entries are asked for. Times are ISO 8601. */
export interface AuditQuestion {
  readonly user?: string | undefined; // login, in any case
  readonly resource?: string | undefined; // with all below it
  readonly min?: string | undefined; // inclusive
  readonly max?: string | undefined; // exclusive
  readonly before?: string | undefined; // sort key: only older entries
  readonly limit: number;
}

const AT_ONCE = 500; // entries read at a time
const LOOKED_AT = 10_000; // entries looked at for one page: what is rare takes several

/** Entries, the latest first; `last` is where the next page goes on, undefined at the end. */
export async function readAudit(
  table: Table,
  site: string,
  question: AuditQuestion,
): Promise<{ readonly entries: readonly AuditEntry[]; readonly last: string | undefined }> {
  const { min, max, limit } = question;
  const from = min === undefined ? undefined : new Date(min).toISOString();
  let to = question.before ?? (max === undefined ? undefined : new Date(max).toISOString());
  const entries: AuditEntry[] = [];
  for (let looked = 0; looked < LOOKED_AT; looked += AT_ONCE) {
    if (from !== undefined && to !== undefined && from > to) return { entries, last: undefined };
    const range = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
    const items = await table.query(keys.audit(site).pk, { ...range, descending: true, limit: AT_ONCE });
    for (const item of items) {
      if (item.sk === to) continue; // the last of the page before
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
  if (user !== undefined && entry.user?.toLowerCase() !== user.trim().toLowerCase()) return false;
  return resource === undefined || entry.resource === resource || entry.resource.startsWith(`${resource}/`);
}

/** What an operator or the service itself did, as an entry. */
export const serviceEntry = (
  what: Pick<AuditEntry, 'action' | 'resource'> & Partial<AuditEntry>,
  { id, at }: Pick<AuditEntry, 'id' | 'at'>,
): AuditEntry => ({ user: null, via: 'command line', fields: [], ...what, id, at });
