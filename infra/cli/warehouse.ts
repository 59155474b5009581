import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { listSites } from '../../lib/access/sites.ts';
import { readSettings } from '../../lib/settings.ts';
import { exportWarehouse, type WarehouseExport } from '../../lib/warehouse/export.ts';
import { exportContext } from '../../lib/warehouse/export-site.ts';
import type { WarehousePlace } from '../../lib/warehouse/place.ts';
import { Fault } from '../fault.ts';
import type { Place } from '../local/table/place.ts';
import { group, line, needed, type OptionsOf, type Outcome, tableCommand, write } from './command.ts';
import { counted } from './import/outcome.ts';
import { openProgress } from './progress.ts';
import { requireSite } from './site.ts';

const LONGEST_WAIT = 15 * 60_000; // ms for an export that runs: the longest of a function, and of a lease that nobody renews
const LOOK = 1_000; // ms between two looks whether it is over
const WAITING = 'Another export is running, as after an import: this one begins after it, within 15 minutes.';

const OPTIONS = {
  site: line('<name>', 'only this site (default: every site)'),
  to: needed(line('<place>', 'a folder, or s3://bucket/prefix')),
};

/** `warehouse export` (docs/design/warehouse.md). */
export const warehouseCommand = (): Command =>
  group(
    ['warehouse', 'bring what reports count into any warehouse', 'export --to s3://acme-warehouse/support'],
    tableCommand(
      [
        'export',
        'write facts, cases and events as Parquet files; only what has changed since the last export',
        '--site acme --to warehouse',
      ],
      OPTIONS,
      doExport,
    ),
  );

async function doExport({ table }: Place, options: OptionsOf<typeof OPTIONS>): Promise<Outcome> {
  const all = (await listSites(table)).map(({ site }) => site);
  const sites = options.site === undefined ? all : [await requireSite(table, options.site)];
  const from = { table, clock: Date.now, newId: randomUUID };
  const progress = process.stderr.isTTY ? openProgress(process.stderr, Date.now) : undefined;
  const contexts = sites.map((site) => ({
    ...exportContext(from, site),
    onPart: (done: number, total: number) => progress?.show({ doing: `parts of ${site.name}`, done, total }),
  }));
  try {
    return await exportInTurn(contexts, options.to, { ...from, all: all.map(({ name }) => name) });
  } finally {
    progress?.end();
  }
}

/** Exports, after another export that is at work. */
async function exportInTurn(...[contexts, to, tools]: Parameters<typeof exportOnce>): Promise<Outcome> {
  const until = Date.now() + LONGEST_WAIT;
  for (let isTold = false; ; isTold = true) {
    const outcome = await exportOnce(contexts, to, tools);
    if ('done' in outcome) return { text: textOf(outcome.done), json: outcome.done };
    if (Date.now() >= until)
      throw new Fault('Another export is still running. If it was killed, the next can begin ten minutes later.');
    if (!isTold) write(process.stderr, WAITING);
    await pause(Math.min(LOOK, outcome.wait * 1000));
  }
}

/** Exports, unless another export is at work. Throws a `Fault` for what a person can mend at the place. */
async function exportOnce(
  contexts: Parameters<typeof exportWarehouse>[0],
  to: string,
  tools: Parameters<typeof exportWarehouse>[2],
): ReturnType<typeof exportWarehouse> {
  try {
    return await exportWarehouse(contexts, await open(to), tools);
  } catch (error) {
    throw refused(error, to);
  }
}

const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*?))?\/*$/;

async function open(to: string): Promise<WarehousePlace> {
  if (!to.startsWith('s3:')) return (await import('../../lib/warehouse/folder.ts')).openFolder(to);
  const [, bucket, prefix = ''] = BUCKET.exec(to) ?? [];
  if (bucket === undefined) throw new Fault(`${to} names no bucket: write s3://bucket/prefix.`, 2);
  const [{ openObjects }, { openBucket }] = await Promise.all([
    import('../../lib/store/objects.ts'),
    import('../../lib/warehouse/bucket.ts'),
  ]);
  const isEmulated = readSettings().AWS_ENDPOINT_URL !== undefined;
  return openBucket(openObjects({ bucket, isEmulated }), bucket, prefix);
}

/** What failed, for the errors of disks and buckets that a person can mend. */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'has no room left. What it held before is whole; the next export goes on from there',
  EDQUOT: 'has no room left. What it held before is whole; the next export goes on from there',
  EACCES: 'cannot be written by this user',
  EPERM: 'cannot be written by this user',
  EROFS: 'cannot be written: its disk is read-only',
  ENOTDIR: 'is no folder',
  EEXIST: 'is no folder',
  NoSuchBucket: 'is no bucket of this account or region',
  AccessDenied: 'refuses these credentials: they need s3:GetObject, PutObject, DeleteObject and ListBucket',
  CredentialsProviderError: 'needs credentials: none were found in the environment',
};

function refused(error: unknown, to: string): unknown {
  if (typeof error !== 'object' || error === null) return error;
  const names = [...('code' in error ? [String(error.code)] : []), ...('name' in error ? [String(error.name)] : [])];
  const reason = names.map((name) => REASONS[name]).find((each) => each !== undefined);
  return reason === undefined ? error : new Fault(`${to} ${reason}.`);
}

function textOf({ sites, removed }: WarehouseExport): string {
  const lines = sites.map(
    ({ site, rows, files, written, writtenBytes }) =>
      `${site}: ${counted(rows.facts, 'fact')}, ${counted(rows.cases, 'case')}, ${counted(rows.events, 'event')} in ${counted(files, 'file')}; ` +
      `${written} written, ${(writtenBytes / 1e6).toFixed(1)} MB.`,
  );
  return [...lines, ...removed.map((site) => `${site}: taken out, the site is no more.`)].join('\n');
}
