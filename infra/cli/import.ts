import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { Command, Option } from 'commander';
import * as z from 'zod';
import { pickRows } from '../../lib/import/formats/csv.ts';
import { type Input, openInput } from '../../lib/import/formats/input.ts';
import type { LineSet } from '../../lib/import/formats/line-set.ts';
import { pickLines } from '../../lib/import/formats/lines.ts';
import { dialectOf, type RowCount, readMapped } from '../../lib/import/formats/mapped.ts';
import type { Mapping } from '../../lib/import/formats/mapping.ts';
import { readNdjson } from '../../lib/import/formats/ndjson.ts';
import { parseMapping } from '../../lib/import/formats/parse-mapping.ts';
import type { Batch, Raw } from '../../lib/import/formats/row.ts';
import { type ImportSummary, importRows } from '../../lib/import/import-rows.ts';
import type { Took } from '../../lib/import/load.ts';
import { openRejects } from '../../lib/import/rejects.ts';
import { createCollections } from '../../lib/store/collection.ts';
import { Fault } from '../fault.ts';
import type { Place } from '../local/table/place.ts';
import { readInThread } from '../local/threads/rows-in-thread.ts';
import { columns } from './columns.ts';
import { type Outcome, onTable, withExample } from './command.ts';
import { duration, grouped, openProgress } from './progress.ts';
import { requireSite } from './site.ts';

const THREAD_BYTES = 8_000_000; // of a file that is worth a thread

const shape = {
  site: z.string(),
  format: z.enum(['ndjson', 'csv']).optional(),
  map: z.string().optional(),
  dryRun: z.boolean().optional(),
};
type Given = z.infer<z.ZodObject<typeof shape>>;

/** `import` (contract.md, Running it; docs/import.md). */
export function importCommand(): Command {
  const command = new Command('import')
    .description('read support history into a site; again changes nothing')
    .argument('<file>', 'gzipped or not; - reads standard input')
    .requiredOption('--site <name>', 'name of the site')
    .addOption(
      new Option('--format <format>', 'of the file (default: ndjson, with --map csv)').choices(['ndjson', 'csv']),
    )
    .option('--map <file>', 'mapping of a CSV (docs/import.md)')
    .option('--dry-run', 'check everything, write nothing');
  return onTable(withExample(command, 'import events.ndjson.gz --site acme'), shape, (place, given, [file = '']) =>
    doImport(place, given, file),
  );
}

async function doImport(place: Place, given: Given, file: string): Promise<Outcome> {
  const mapping = await readMapping(given, file);
  const site = await requireSite(place.table, given.site);
  const input = await openInput(file);
  const folder = place.folder ?? tmpdir();
  const source = sourceOf(input, file, mapping, folder);
  const progress = openProgress(process.stderr, Date.now);
  const dryRun = given.dryRun ?? false;
  const rejects = openRejects({
    path: dryRun ? undefined : `${file === '-' ? 'stdin' : file}.rejected.${mapping === undefined ? 'ndjson' : 'csv'}`,
    header: source.header,
    report: (line, reason) => progress.say(`${input.name}:${line}: ${reason}`),
    again: source.again,
  });
  const context = { table: place.table, site, collections: createCollections(), clock: Date.now, newId: randomUUID };
  try {
    const summary = await importRows(context, source.batches, {
      spillFolder: folder,
      dryRun,
      onRejected: rejects.add,
      onProgress: ({ read, merged, folding }) => {
        const rows = source.rows?.();
        if (folding) progress.show({ doing: 'folding', ...folding, events: folding.done });
        else if (merged > 0) {
          const share = rows ? { done: rows.given, total: rows.read } : { done: merged, total: read };
          progress.show({ doing: 'storing', ...share, events: merged });
        } else {
          const count = rows ? { rows: rows.read } : { events: read };
          progress.show({ doing: 'reading', done: source.position(), total: input.size, ...count });
        }
      },
    });
    progress.end();
    return outcomeOf(
      summary,
      { file: input.name, site: site.name, dryRun, rejected: rejects.count() },
      await rejects.close(),
    );
  } finally {
    progress.end();
    await input.close();
  }
}

/** The mapping that the options name; undefined for NDJSON. Throws a `Fault` where they make no sense together. */
async function readMapping({ format, map }: Given, file: string): Promise<Mapping | undefined> {
  if (map === undefined) {
    const isCsv = format === 'csv' || (format === undefined && /\.csv(\.gz)?$/i.test(file));
    if (isCsv) throw new Fault('A CSV needs a mapping: name it by --map (docs/import.md says how to write one).', 2);
    return undefined;
  }
  if (format === 'ndjson') throw new Fault('--map is for a CSV: leave it out, or use --format csv.', 2);
  const text = await readFile(map, 'utf8').catch((error: unknown) => {
    const missing = z.object({ code: z.literal('ENOENT') }).safeParse(error).success;
    throw new Fault(missing ? `${map} does not exist: name the mapping's file.` : `${map} cannot be read.`);
  });
  return parseMapping(text, map);
}

/** A format's rows, and what is needed to write rejected ones as they came. */
interface Source {
  readonly batches: AsyncIterable<Batch>;
  readonly header: () => string | undefined;
  readonly position: () => number; // bytes of the file taken so far, packed
  readonly rows?: () => RowCount | undefined; // of a CSV, whose rows become events only once all are read
  readonly again: (lines: Pick<LineSet, 'has'>) => AsyncIterable<Raw>;
}

function sourceOf(input: Input, path: string, mapping: Mapping | undefined, folder: string): Source {
  const source = isForThread(input, path)
    ? readInThread({ path, mapping, folder })
    : { ...readHere(input, mapping, folder), position: input.position };
  const again: Source['again'] = (lines) =>
    mapping === undefined ? pickLines(input.again(), lines) : pickRows(input.again(), dialectOf(mapping), lines);
  return { ...source, again };
}

const readHere = ({ bytes }: Input, mapping: Mapping | undefined, folder: string) =>
  mapping === undefined ? { batches: readNdjson(bytes), header: () => undefined } : readMapped(bytes, mapping, folder);

/** A thread starts in 0.1 s; standard input belongs to this one. */
const isForThread = ({ size = 0 }: Input, path: string): boolean =>
  path !== '-' && size >= THREAD_BYTES && availableParallelism() > 1;

interface Facts {
  readonly file: string;
  readonly site: string;
  readonly dryRun: boolean;
  readonly rejected: number; // lines
}

function outcomeOf(summary: ImportSummary, facts: Facts, rejectedFile: string | undefined): Outcome {
  const { records, events, added, repeated, took } = summary;
  const { rejected, dryRun } = facts;
  const rows = Object.entries(records).map(([type, count]) => [type, grouped(count)]);
  const stored = dryRun
    ? `${counted(added, 'event')} would be added, ${grouped(repeated)} are there already. Nothing was written.`
    : `${counted(added, 'event')} added, ${grouped(repeated)} were there already.`;
  const where = rejectedFile === undefined ? '' : `, written to ${rejectedFile}`;
  const refused = rejected === 0 ? [] : [`${counted(rejected, 'line')} rejected${where}.`];
  return {
    text: [
      ...(rows.length === 0 ? [] : [columns(['record', 'read'], rows)]),
      stored,
      ...refused,
      speed(events, took),
    ].join('\n'),
    json: { ...facts, ...summary, rejectedFile: rejectedFile ?? null },
    exit: rejected === 0 ? 0 : 1,
  };
}

/** `12 s, 52,000 events a second: reading 4 s, storing 6 s, folding 2 s.` */
function speed(events: number, took: Took): string {
  const seconds = Object.values(took).reduce((sum, each) => sum + each, 0) / 1000;
  const parts = Object.entries(took).map(([part, ms]) => `${part} ${duration(ms / 1000)}`);
  const rate = seconds > 0 ? `, ${grouped(Math.round(events / seconds))} events a second` : '';
  return `${duration(seconds)}${rate}: ${parts.join(', ')}.`;
}

const counted = (count: number, what: string): string => `${grouped(count)} ${what}${count === 1 ? '' : 's'}`;
