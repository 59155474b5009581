import { Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { type AuditEntry, readAudit } from '../../lib/access/audit.ts';
import type { Table } from '../../lib/store/table.ts';
import { timestamp } from '../../lib/text.ts';
import { DEPLOYMENT } from './audited.ts';
import { columns } from './columns.ts';
import { onTable, withExample } from './command.ts';
import { requireSite } from './site.ts';

const shape = {
  site: z.string().optional(),
  user: z.string().optional(),
  resource: z.string().optional(),
  min: z.string().optional(),
  max: z.string().optional(),
  limit: z.number(),
};

/** `audit`: who changed what and when (docs/interface.md). */
export function auditCommand(): Command {
  const command = new Command('audit')
    .description('list who changed what, the latest first')
    .option('--site <name>', 'name of the site (default: only entries about whole sites)')
    .option('--user <login>', 'only changes by this user')
    .option('--resource <path>', 'only changes of this and the resources below it, such as topics or topics/5')
    .option('--min <time>', 'from this time on, such as 2026-03-01 or 2026-03-01T12:00:00Z', time)
    .option('--max <time>', 'before this time', time)
    .option('--limit <number>', 'entries at most', limit, 100);
  return onTable(withExample(command, 'audit --site acme --resource topics'), shape, ({ table }, options) =>
    doAudit(table, options),
  );
}

async function doAudit(table: Table, { site: named, ...question }: z.infer<z.ZodObject<typeof shape>>) {
  const site = named === undefined ? DEPLOYMENT : (await requireSite(table, named)).name;
  const entries: AuditEntry[] = [];
  let before: string | undefined;
  do {
    const page = await readAudit(table, site, { ...question, before, limit: question.limit - entries.length });
    entries.push(...page.entries);
    before = page.last;
  } while (before !== undefined && entries.length < question.limit);
  const rows = entries.map(({ at, user, via, credential, token, action, resource, fields, count }) => [
    timestamp(at),
    user ?? via,
    [credential, token].filter((part) => part !== undefined).join(' '),
    action,
    resource,
    count === undefined ? fields.join(', ') : String(count),
  ]);
  return {
    text:
      rows.length === 0 ? 'The audit has no such entries.' : columns(['at', 'who', 'by', 'did', 'to', 'what'], rows),
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
