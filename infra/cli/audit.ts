import { type Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { type AuditEntry, readAudit } from '../../lib/access/audit.ts';
import { timestamp } from '../../lib/text.ts';
import type { Place } from '../local/table/place.ts';
import { DEPLOYMENT } from './audited.ts';
import { columns } from './columns.ts';
import { line, type OptionsOf, tableCommand, usually, value } from './command.ts';
import { requireSite } from './site.ts';

const OPTIONS = {
  site: line('<name>', 'name of the site (default: only entries about whole sites)'),
  user: line('<login>', 'only changes by this user'),
  resource: line('<path>', 'only changes of this and the resources below it, such as topics or topics/5'),
  min: value('<time>', 'from this time on, such as 2026-03-01 or 2026-03-01T12:00:00Z', time),
  max: value('<time>', 'before this time', time),
  limit: usually(value('<number>', 'entries at most', limit), 100),
};

/** `audit`: who changed what and when (docs/interface.md). */
export const auditCommand = (): Command =>
  tableCommand(['audit', 'list who changed what, the latest first', '--site acme --resource topics'], OPTIONS, doAudit);

async function doAudit(
  { table }: Place,
  { site: named, user, resource, min, max, limit: most }: OptionsOf<typeof OPTIONS>,
) {
  const site = named === undefined ? DEPLOYMENT : (await requireSite(table, named)).name;
  const entries: AuditEntry[] = [];
  let before: string | undefined;
  do {
    const page = await readAudit(table, site, { user, resource, min, max, before, limit: most - entries.length });
    entries.push(...page.entries);
    before = page.last;
  } while (before !== undefined && entries.length < most);
  const rows = entries.map(({ at, user, via, credential, token, action, resource, fields, count }) => [
    timestamp(at),
    user ?? via,
    [credential, token].filter((part) => part !== undefined).join(' '),
    action,
    resource,
    count === undefined ? fields.join(', ') : String(count),
  ]);
  return {
    text: columns(['at', 'who', 'by', 'did', 'to', 'what'], rows) || 'The audit has no such entries.',
    json: entries.map(({ at, count, ...entry }) => ({ ...entry, at: timestamp(at), count: count ?? null })),
  };
}

function time(text: string): string {
  const { success, data } = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).safeParse(text);
  if (success) return new Date(data).toISOString();
  throw new InvalidArgumentError('It is not a time such as 2026-03-01 or 2026-03-01T12:00:00Z.');
}

function limit(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is not a number from 1 to 999999.');
}
