import { certain } from '../../certain.ts';
import type { Instant } from '../../history/cases/event.ts';
import { type CsvRow, cellsOf, type Dialect, emptyCsv, type FileRow, readCsv } from '../formats/csv.ts';
import type { Findings } from '../formats/findings.ts';
import { ImportFault } from '../formats/import-fault.ts';
import { shownName } from '../formats/input.ts';
import type { LineNumbers } from '../formats/line-numbers.ts';
import type { Batch, Row, WholeCases } from '../formats/row.ts';
import { type DigestedCase, type LastCasesSlot, openCases } from '../known/known-cases.ts';
import { HELD_BOUNDS, openSpill, type Spill, type SpillBounds } from '../spill/spill.ts';
import { type CompiledMapping, compileMapping } from './compiled-mapping.ts';
import { HELD_ROW_SPILL, type HeldRow, heldRowCodec } from './held-row.ts';
import { type OpenLookups, openLookups } from './lookups.ts';
import type { Mapping } from './mapping.ts';
import { rowSorter } from './row-sorter.ts';

/** A CSV and its mapping, as plain data. */
export interface MappedFile {
  readonly path: string;
  readonly mapping: Mapping;
  readonly source?: string | undefined; // source of its events; undefined: that of the import
  /** Its rows list all cases: what no other file with versions says any more of a case of them is gone. */
  readonly listsCases?: boolean | undefined;
}

/** The rows of mapped CSVs, with records. */
export interface MappedRows {
  readonly batches: AsyncGenerator<Batch>;
  readonly rows: () => RowCount;
}

/** The parameters to read mapped CSVs. */
export interface MappedOptions {
  readonly open: (path: string) => Promise<{ readonly bytes: AsyncIterable<Uint8Array> }>;
  readonly folder: string; // for a temporary file
  readonly lineNumbers: LineNumbers; // numbers the lines
  readonly findings: Findings;
  readonly bounds?: SpillBounds;
  readonly isLenient?: boolean | undefined; // a column that a file lacks counts as empty
  readonly known?: LastCasesSlot | undefined; // only for a single file; absent: each case is read
}

/** How many rows of cases have been read so far, and how many of them have been yielded with their whole case. */
export interface RowCount {
  readonly read: number;
  readonly given: number;
}

/** Rows that become records in one batch; a case may have more. Few, so that most objects made from them die young. */
const TOGETHER = 250;

/**
 * Reads CSVs by their mappings. While it reads the files, it yields rows that are wrong by themselves, and keeps the
 * others in a temporary file, grouped by case. Then it yields the cases, each whole with its rows of all files. Throws
 * `ImportFault` if a file does not fit its mapping.
 */
export function readMapped(files: readonly MappedFile[], options: MappedOptions): MappedRows {
  const count = { read: 0, given: 0 };
  return { batches: batches(), rows: () => count };

  async function* batches(): AsyncGenerator<Batch> {
    const held = openSpill(options.folder, HELD_ROW_SPILL, options.bounds ?? HELD_BOUNDS);
    const lookups = openLookups(options.findings);
    const isPart = files.length > 1;
    const told = new Set<string>();
    const parts: Part[] = [];
    try {
      for (const file of files) parts.push(yield* readFile(file, { options, held, lookups, isPart, count, told }));
      const whole = wholeCases(parts, options.known);
      for await (const group of held.groups()) {
        for (const rows of inBatches(group.values())) {
          yield whole.read(rows);
          count.given += rows.reduce((sum, { length }) => sum + length, 0);
        }
      }
      for (const { reading } of parts) reading.note(whole.anyKnown());
      const definitions = parts.flatMap(({ reading }) => reading.definitions.map(({ record }) => record()));
      if (definitions.length > 0) yield [{ line: 0, records: definitions }]; // of no line
    } finally {
      await held.close();
    }
  }
}

/** A file that has been read. */
interface Part {
  readonly reading: CompiledMapping;
  readonly file: MappedFile;
  readonly before: number; // number of the last line of the files before
  changed: Instant | undefined; // when the last of its cases changed, according to its rows
}

/** The state of reading the files. */
interface Gathering {
  readonly options: MappedOptions;
  readonly held: Spill<HeldRow>;
  readonly lookups: OpenLookups;
  readonly isPart: boolean; // there are several files about the same cases
  readonly count: { read: number };
  readonly told: Set<string>;
}

async function* readFile(
  file: MappedFile,
  { options, held, lookups, isPart, count, told }: Gathering,
): AsyncGenerator<readonly Row[], Part> {
  const { path, mapping, source } = file;
  const { findings, lineNumbers, isLenient = false, known: lastCases } = options;
  const dialect = dialectOf(mapping);
  const form = heldRowCodec(dialect.separator);
  const found = await lookups(mapping, dialect);
  const context = { form, findings, isPart, isLenient, salt: lastCases?.salt ?? '', source, told, lookups: found };
  let part: Part | undefined;
  const sorter = rowSorter({ dialect, form, held, lines: lineNumbers, findings, name: shownName(path) });
  const { bytes } = await options.open(path);
  for await (const read of readCsv(bytes, dialect)) {
    let rows = read;
    if (part === undefined) {
      if (read.length === 0) continue;
      const { columns } = mapping.csv;
      const top = columns === undefined ? headerOf(read[0], path) : undefined;
      if (top !== undefined) rows = read.slice(1);
      const { before } = lineNumbers.begin(path, top?.raw);
      sorter.header = top?.raw;
      const reading = compileMapping(mapping, top ? cellsOf(top, dialect) : (columns ?? []), context);
      part = { before, file, changed: undefined, reading };
    }
    yield sorter.sort(rows, part);
    count.read += sorter.takeHeld();
    await held.rest();
  }
  if (part === undefined) throw new ImportFault(emptyCsv(path));
  yield sorter.end(part);
  count.read += sorter.takeHeld();
  return part;
}

/** Returns a reader of whole cases; it only lists the known cases, if there are any, without reading their rows. */
function wholeCases(parts: readonly Part[], lastCases: LastCasesSlot | undefined) {
  const { reading: first } = certain(parts[0]);
  const changed = parts.flatMap(({ file: { source }, changed: at }) => (at === undefined ? [] : [{ source, at }]));
  const isOlder = (changed[0]?.at ?? -1) < (lastCases?.exported ?? -1);
  const shapeOf = parts.length === 1 && !isOlder && lastCases?.cases && openCases(lastCases.cases);
  let anyKnown = false;
  return {
    anyKnown: () => anyKnown,
    read(cases: readonly (readonly HeldRow[])[]): WholeCases {
      if (!shapeOf || first.digestOf === undefined) {
        return { cases: cases.flatMap((held) => foldParts(held, parts)), changed };
      }
      const [digests, same]: [DigestedCase[], DigestedCase[]] = [[], []];
      const read: Row[] = [];
      for (const held of cases) {
        const digest = first.digestOf(held);
        const shape = shapeOf(digest);
        (shape < 0 ? digests : same).push({ key: certain(held[0]).caseKey, ...digest, shape });
        if (shape < 0) for (const row of fold(held, first)) read.push(row);
        else first.meet(held);
      }
      anyKnown ||= same.length > 0;
      return { cases: read, digests, known: same, changed };
    },
  };
}

const fold = (held: readonly HeldRow[], { rows }: CompiledMapping): Row[] => ('fold' in rows ? rows.fold(held) : []);

/** Folds the rows of a case file by file; the rows are in the order of the files. */
function foldParts(held: readonly HeldRow[], parts: readonly Part[]): Row[] {
  const rows: Row[] = [];
  let start = 0;
  let listed: { readonly line: number; readonly last: Instant | undefined } | undefined;
  const silent: Part[] = []; // that say nothing of the case
  for (const [index, part] of parts.entries()) {
    const { reading } = part;
    const end = parts[index + 1]?.before ?? Number.POSITIVE_INFINITY;
    let stop = start;
    while (stop < held.length && certain(held[stop]).line <= end) stop += 1;
    const own = held.slice(start, stop);
    if (own.length === 0) silent.push(part);
    for (const row of own.length === 0 ? [] : fold(own, reading)) rows.push(row);
    if (part.file.listsCases && own[0] !== undefined) listed = { line: own[0].line, last: reading.lastOf(own) };
    start = stop;
  }
  if (listed !== undefined) rows.push(...emptied(certain(held[0]).caseKey, listed, silent));
  return rows;
}

/** Says of a case that some files with versions have no rows of it any more. */
function emptied(
  caseKey: string,
  { line, last }: { readonly line: number; readonly last: Instant | undefined },
  silent: readonly Part[],
): Row[] {
  return silent.flatMap(({ file: { mapping, source } }) =>
    source === undefined || mapping.kind === 'members' || mapping.as_of === undefined
      ? []
      : [{ line, records: [], empty: { case: caseKey, source, last } }],
  );
}

/** Cuts cases into batches. */
function* inBatches(cases: Iterable<readonly HeldRow[]>): Generator<readonly (readonly HeldRow[])[]> {
  let batch: (readonly HeldRow[])[] = [];
  let size = 0;
  for (const rows of cases) {
    batch.push(rows);
    size += rows.length;
    if (size < TOGETHER) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (size > 0) yield batch;
}

/** Returns the dialect that a mapping says its CSV has. */
export function dialectOf(mapping: Mapping): Dialect {
  const { separator, quote, encoding, skip } = mapping.csv;
  return { separator, quote: quote === '' ? '\0' : quote, encoding, skip };
}

function headerOf(top: FileRow | undefined, path: string): CsvRow {
  if (top !== undefined && !('reason' in top)) return top;
  const reason = top === undefined ? '' : ` (${top.reason})`;
  throw new ImportFault(
    `The first line of ${shownName(path)} is not a header${reason}: give one, or name the columns in the mapping as csv.columns.`,
  );
}
