import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { Command, Option } from 'commander';
import * as z from 'zod';
import type { Site } from '../../lib/access/sites.ts';
import type { CaseStatus } from '../../lib/history/cases/event.ts';
import { eventsOf } from '../../lib/history/rewrite.ts';
import { openImportRejects } from '../../lib/import/file-rejects.ts';
import { withLookupFiles } from '../../lib/import/formats/lookups.ts';
import type { Mapping } from '../../lib/import/formats/mapping.ts';
import { parseMapping } from '../../lib/import/formats/parse-mapping.ts';
import { STATUSES, type ZendeskOptions } from '../../lib/import/formats/zendesk/options.ts';
import { noteSummary } from '../../lib/import/import-notes.ts';
import { importRows } from '../../lib/import/import-rows.ts';
import type { LoadProgress } from '../../lib/import/load.ts';
import { openPack } from '../../lib/import/pack-source.ts';
import { PACKS, ratedPack } from '../../lib/import/packs/pack.ts';
import { readAgents } from '../../lib/import/reference/agents.ts';
import { openFile, openZendesk, type ReadElsewhere, type Source } from '../../lib/import/source.ts';
import { newStories } from '../../lib/import/story.ts';
import { type Collections, createCollections } from '../../lib/store/collection.ts';
import type { Table } from '../../lib/store/table.ts';
import { Fault } from '../fault.ts';
import { onEndSignal } from '../local/signals.ts';
import type { Place } from '../local/table/place.ts';
import { readInThread } from '../local/threads/rows-in-thread.ts';
import { tellingTable } from './audited.ts';
import { type Outcome, onTable, withExample } from './command.ts';
import { originOf, originOptions, originShape } from './import-origin.ts';
import { outcomeOf } from './import-outcome.ts';
import { confirm, findPack, recognise } from './import-recognise.ts';
import { openProgress, type Progress } from './progress.ts';
import { requireSite } from './site.ts';

const FORMATS = ['ndjson', 'csv', 'zendesk', ...PACKS] as const;

const shape = {
  site: z.string(),
  format: z.string().optional(),
  map: z.string().optional(),
  dryRun: z.boolean().optional(),
  status: z.array(z.string()).optional(),
  automated: z.string().optional(),
  withLogins: z.boolean().optional(),
  timeField: z.string().optional(),
  merged: z.enum(['keep', 'skip']).optional(),
  check: z.string().optional(),
  zone: z.string().optional(),
  yes: z.boolean().optional(),
  ...originShape,
};
type Given = z.infer<z.ZodObject<typeof shape>>;

/** `import` (docs/import.md). */
export function importCommand(): Command {
  const several = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];
  const command = new Command('import')
    .description('read support history into a site; again changes nothing')
    .argument('<file>', 'gzipped or not; - reads standard input; with --format zendesk also a folder')
    .requiredOption('--site <name>', 'name of the site')
    .option('--format <format>', `${FORMATS.join(', ')}, or a pack of your own: ./folder`)
    .option('--map <file>', 'mapping of a CSV (docs/import.md)')
    .option('--zone <zone>', "of times without offset in exports with one row a ticket (default: the site's)")
    .option('--yes', 'take the file for what it looks like, without a question')
    .option('--dry-run', 'check everything, write nothing')
    .option('--status <theirs=ours>', 'zendesk: what a status means, such as hold=pending; several times', several)
    .option('--automated <ids>', 'zendesk: users who are machines, with commas between their ids')
    .option('--with-logins', 'zendesk: agents become users of the site')
    .option('--time-field <title>', 'zendesk: the ticket field in which an app notes seconds of work')
    .addOption(
      new Option('--merged <what>', 'zendesk: the close of a ticket merged into another').choices(['keep', 'skip']),
    )
    .option('--check <file>', "zendesk: compare with Zendesk's own ticket metrics");
  return onTable(
    withExample(originOptions(command), 'import events.ndjson.gz --site acme'),
    shape,
    (place, given, [file = '']) => doImport(place, given, file),
  );
}

async function doImport(place: Place, given: Given, file: string): Promise<Outcome> {
  const site = await requireSite(place.table, given.site, 2);
  const folder = place.folder ?? tmpdir();
  const collections = createCollections();
  const source = await openSource({ table: place.table, site, collections }, given, file, folder);
  const origin = originOf(given, source.origin);
  const progress = openProgress(process.stderr, Date.now);
  const dryRun = given.dryRun ?? false;
  const stopListening = onEndSignal(() => sayStopped(progress, dryRun));
  const rejects = openImportRejects(source, dryRun, progress.say);
  const told = tellingTable(place.table, site.name, {
    action: 'import',
    resource: `imports/${basename(source.name)}`,
  });
  const context = { table: dryRun ? place.table : told.table, site, collections, clock: Date.now, newId: randomUUID };
  let readOtherwise = 0;
  try {
    const stories = newStories();
    const batches = dryRun ? stories.watch(source.batches) : source.batches;
    const summary = await importRows(context, batches, {
      spillFolder: folder,
      dryRun,
      ...(origin === undefined ? {} : { origin }),
      ...(source.known === undefined || dryRun ? {} : { known: source.known }), // a rehearsal reads every row
      onRejected: rejects.add,
      onProgress: (step) => showProgress(progress, source, step),
      ...(source.rereads === undefined ? {} : { rereads: source.rereads, onConflict: () => void (readOtherwise += 1) }),
    });
    progress.end();
    const rejectedFiles = await rejects.close();
    noteSummary(summary, source.findings);
    return outcomeOf(summary, {
      story: stories.tell(),
      file: source.name,
      site: site.name,
      dryRun,
      ...(origin === undefined ? {} : { origin }),
      rejected: rejects.count(),
      rejectedFiles,
      rejections: rejects.groups(),
      findings: source.findings.summary(),
      readOtherwise,
      ...(source.check === undefined ? {} : { check: source.check() }),
    });
  } finally {
    stopListening();
    progress.end();
    await source.close();
  }
}

/** Leaves the terminal as it was, and says what the end of an import leaves. */
function sayStopped(progress: Progress, dryRun: boolean): void {
  progress.end();
  const stored = dryRun
    ? 'Nothing was written.'
    : 'Whole cases that were stored by now stay; run the same import again to go on: nothing is taken twice.';
  process.stderr.write(`\nStopped. ${stored}\n`);
}

function showProgress(progress: Progress, source: Source, { read, merged, folding }: LoadProgress): void {
  const rows = source.rows?.();
  if (folding) progress.show({ doing: 'folding', ...folding, events: folding.done });
  else if (merged > 0) {
    const share = rows ? { done: rows.given, total: rows.read } : { done: merged, total: read };
    progress.show({ doing: 'storing', ...share, events: merged });
  } else {
    const count = rows ? { rows: rows.read } : { events: read };
    progress.show({ doing: 'reading', done: source.position(), total: source.size, ...count });
  }
}

/** The site that is imported into. */
interface Target {
  readonly table: Table;
  readonly site: Site;
  readonly collections: Collections;
}

/** Opens what the options name. Throws a `Fault` where they make no sense together. */
async function openSource(target: Target, asked: Given, file: string, folder: string): Promise<Source> {
  const given = await withFormat(asked, file);
  if (given.format === 'zendesk') {
    if (given.map !== undefined) throw new Fault('--map is for a CSV: leave it out with --format zendesk.', 2);
    const options = await zendeskOptions(target, given);
    const context = { ...target, clock: Date.now, newId: randomUUID };
    return openZendesk({
      ...{ path: file, options, check: given.check, folder },
      eventsOf: (subjects) => eventsOf(context, subjects),
    });
  }
  refuseOthers(given);
  const zone = given.zone ?? target.site.timeZone;
  if (isPack(given.format)) {
    if (given.map !== undefined) throw new Fault('A pack has its own mappings: leave out --map.', 2);
    return openPack({
      ...{ path: file, pack: ratedPack(await findPack(given.format, zone), target.site.rating), zone, folder },
      source: given.source,
    });
  }
  const mapping = await readMapping(given, file, zone);
  return openFile({ path: file, mapping, folder }, readApart);
}

const THREAD_BYTES = 8_000_000; // of a file that is worth a thread

/** Reads large files in a thread, which starts in 0.1 s; standard input belongs to this one. */
export const readApart: ReadElsewhere = ({ size = 0, ...request }, findings) =>
  request.path !== '-' && size >= THREAD_BYTES && availableParallelism() > 1
    ? readInThread(request, findings)
    : undefined;

/** The options with the format that the file looks like, where none is named. */
async function withFormat(given: Given, file: string): Promise<Given> {
  if (given.format !== undefined || given.map !== undefined || file === '-') return given;
  const found = await recognise(file);
  if (found === undefined) {
    if (!isFolder(file)) return given;
    throw new Fault(
      `Nothing in ${file} is known: say what its files are by --format zendesk, a pack (${PACKS.join(', ')}) or ./my-pack.`,
      2,
    );
  }
  await confirm(file, found, (given.yes ?? false) || (given.dryRun ?? false));
  return { ...given, format: found.format };
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

const isPack = (format: string | undefined): format is string =>
  format !== undefined && (format.includes('/') || PACKS.some((pack) => pack === format));

/** Throws a `Fault` for an option of another format, or an unknown format. */
function refuseOthers(given: Given): void {
  if (given.format !== undefined && !isPack(given.format) && !FORMATS.some((format) => format === given.format)) {
    throw new Fault(
      `--format ${given.format} is none of ${FORMATS.join(', ')}, nor a folder with a pack (./my-pack).`,
      2,
    );
  }
  const only = ['status', 'automated', 'withLogins', 'timeField', 'merged', 'check'] as const;
  const misplaced = only.find((option) => given[option] !== undefined);
  if (misplaced !== undefined) {
    const option = misplaced.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new Fault(`--${option} is for --format zendesk.`, 2);
  }
}

/** The mapping that the options name; undefined for NDJSON. */
async function readMapping({ format, map }: Given, file: string, zone: string): Promise<Mapping | undefined> {
  if (map === undefined) {
    const isCsv = format === 'csv' || (format === undefined && /\.csv(\.gz)?$/i.test(file));
    if (isCsv) throw new Fault(`A CSV needs a mapping: npx support mapping ${file} makes one, --map names it.`, 2);
    return undefined;
  }
  if (format === 'ndjson') throw new Fault('--map is for a CSV: leave it out, or use --format csv.', 2);
  const text = await readFile(map, 'utf8').catch((error: unknown) => {
    const missing = z.object({ code: z.literal('ENOENT') }).safeParse(error).success;
    throw new Fault(missing ? `${map} does not exist: name the mapping's file.` : `${map} cannot be read.`, 2);
  });
  return withLookupFiles(parseMapping(text, map, zone), ({ file }) => resolve(dirname(map), file));
}

async function zendeskOptions({ table, site, collections }: Target, given: Given): Promise<ZendeskOptions> {
  const { status = [], automated, withLogins = false, timeField, merged = 'keep' } = given;
  const ids = automated === undefined ? [] : automated.split(',').map((id) => Number(id.trim()));
  const wrong = ids.find((id) => !Number.isSafeInteger(id) || id < 1);
  if (wrong !== undefined) throw new Fault('--automated takes ids of users with commas between them.', 2);
  return {
    statuses: Object.fromEntries(status.map(statusOf)),
    automated: ids,
    withLogins,
    timeField,
    merged,
    rating: site.rating,
    agents: await readAgents({ site: site.name, table, collections }),
  };
}

const OURS: readonly CaseStatus[] = ['new', 'open', 'pending', 'resolved', 'closed'];

function statusOf(given: string): [string, CaseStatus] {
  const [theirs = '', word = ''] = given.split('=');
  const ours = OURS.find((known) => known === (STATUSES[word] ?? word));
  if (theirs !== '' && ours !== undefined) return [theirs.toLowerCase(), ours];
  throw new Fault(`--status ${given}: write their status, = and one of ${OURS.join(', ')}.`, 2);
}
