import * as z from 'zod';
import { keys } from '../store/keys.ts';
import type { Beside } from '../store/once.ts';
import type { Item } from '../store/table.ts';

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
