import { certain } from '../../certain.ts';
import type { Instant } from '../../history/cases/event.ts';
import { openCases, type PackedCases } from '../known/known-cases.ts';
import { Rejection } from '../records/fields.ts';
import { openSpill, type Spill, type SpillBounds } from '../spill/spill.ts';
import { type CompiledMapping, compileMapping } from './compiled-mapping.ts';
import { type BrokenRow, type CsvRow, cellsOf, type Dialect, emptyCsv, pickCells, readCsv } from './csv.ts';
import type { Findings } from './findings.ts';
import { HELD_ROW_SPILL, type HeldRow, type HeldRowCodec, heldRowCodec } from './held-row.ts';
import { ImportFault } from './import-fault.ts';
import { shownName } from './inputs.ts';
import type { LineNumbers } from './line-numbers.ts';
import { type OpenLookups, openLookups } from './lookups.ts';
import type { Mapping } from './mapping.ts';
import type { Batch, DigestedCases, Row, WholeCases } from './row.ts';

type GivenRow = CsvRow | BrokenRow;

/** A CSV and its mapping, as plain data. */
export interface MappedFile {
  readonly path: string;
  readonly mapping: Mapping;
  readonly source?: string | undefined; // source of its events; undefined: that of the import
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
  readonly known?: KnownCasesSlot | undefined; // only for a single file; absent: each case is read
}

/** Passes the known cases of the last import to the reader; fill it before the first row is read. */
export interface KnownCasesSlot {
  cases?: PackedCases;
  salt?: string; // settings beside mapping and file that decide which events rows become
  wantsLast?: boolean; // whether to tell when the last of the known cases changed
}

/** How many rows of cases have been read so far, and how many of them have been yielded with their whole case. */
export interface RowCount {
  readonly read: number;
  readonly given: number;
}

const HELD_BOUNDS: SpillBounds = { waiting: 14_000_000, group: 2_000_000 };
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
  readonly before: number; // number of the last line of the files before
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
  { path, mapping, source }: MappedFile,
  { options, held, lookups, isPart, count, told }: Gathering,
): AsyncGenerator<readonly Row[], Part> {
  const { findings, lineNumbers, isLenient = false, known } = options;
  const dialect = dialectOf(mapping);
  const form = heldRowCodec(dialect.separator);
  const found = await lookups(mapping, dialect);
  const context = { form, findings, isPart, isLenient, salt: known?.salt ?? '', source, told, lookups: found };
  let part: Part | undefined;
  const { bytes } = await options.open(path);
  for await (const read of readCsv(bytes, dialect)) {
    let rows = read;
    if (part === undefined) {
      if (read.length === 0) continue;
      const { columns } = mapping.csv;
      const top = columns === undefined ? headerOf(read[0], path) : undefined;
      if (top !== undefined) rows = read.slice(1);
      const { before } = lineNumbers.begin(path, top?.raw);
      part = { before, reading: compileMapping(mapping, top ? cellsOf(top, dialect) : (columns ?? []), context) };
    }
    const { given, holds } = sortOut(rows, part.reading, { dialect, form, held, lines: lineNumbers });
    count.read += holds;
    yield given;
    await held.rest();
  }
  if (part === undefined) throw new ImportFault(emptyCsv(path));
  return part;
}

/** Returns a reader of whole cases; it only lists the known cases, if there are any, without reading their rows. */
function wholeCases(parts: readonly Part[], known: KnownCasesSlot | undefined) {
  const { reading: first } = certain(parts[0]);
  const before = parts.length === 1 && known?.cases && openCases(known.cases);
  let anyKnown = false;
  return {
    anyKnown: () => anyKnown,
    read(cases: readonly (readonly HeldRow[])[]): WholeCases {
      if (!before || first.digestOf === undefined) return { cases: cases.flatMap((held) => foldParts(held, parts)) };
      const [digests, same] = [newDigested(), newDigested()];
      const read: Row[] = [];
      let last: Instant | undefined;
      for (const held of cases) {
        const digest = first.digestOf(held);
        const shape = before.shapeOf(digest);
        const list = shape < 0 ? digests : same;
        list.keys.push(certain(held[0]).caseKey);
        list.high.push(digest.high);
        list.low.push(digest.low);
        list.shape.push(shape);
        if (shape < 0) {
          for (const row of fold(held, first)) read.push(row);
          continue;
        }
        first.meet(held);
        const changed = known?.wantsLast ? first.lastOf(held) : undefined;
        if (changed !== undefined && changed > (last ?? -1)) last = changed;
      }
      anyKnown ||= same.keys.length > 0;
      return { cases: read, digests, known: same, ...(last === undefined ? {} : { last }) };
    },
  };
}

const fold = (held: readonly HeldRow[], { rows }: CompiledMapping): Row[] => ('fold' in rows ? rows.fold(held) : []);

/** Folds the rows of a case file by file; the rows are in the order of the files. */
function foldParts(held: readonly HeldRow[], parts: readonly Part[]): Row[] {
  const rows: Row[] = [];
  let start = 0;
  for (const [index, { reading }] of parts.entries()) {
    const end = parts[index + 1]?.before ?? Number.POSITIVE_INFINITY;
    let stop = start;
    while (stop < held.length && certain(held[stop]).line <= end) stop += 1;
    if (stop > start) for (const row of fold(held.slice(start, stop), reading)) rows.push(row);
    start = stop;
  }
  return rows;
}

interface GrowingDigests extends DigestedCases {
  readonly keys: string[];
  readonly high: number[];
  readonly low: number[];
  readonly shape: number[];
}

const newDigested = (): GrowingDigests => ({ keys: [], high: [], low: [], shape: [] });

/** Holds the rows of cases until all files are read; returns at once rows that are rejected, and rows of members. */
function sortOut(
  rows: readonly GivenRow[],
  { width, places, takes, rows: reading }: CompiledMapping,
  { dialect, form, held, lines }: { dialect: Dialect; form: HeldRowCodec; held: Spill<HeldRow>; lines: LineNumbers },
): { readonly given: Row[]; readonly holds: number } {
  const given: Row[] = [];
  let holds = 0;
  for (const row of rows) {
    const line = lines.number(row.line);
    if ('reason' in row) {
      given.push({ ...row, line });
      continue;
    }
    try {
      const cells = pickCells(row, dialect, places, width);
      if ('recordsOf' in reading) given.push({ line, raw: row.raw, records: reading.recordsOf(cells) });
      else if (takes(cells)) {
        held.add(form.hold(line, reading.caseOf(cells), cells, row.quoted === undefined));
        holds += 1;
      }
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      given.push({ line, raw: row.raw, reason: error.message });
    }
  }
  return { given, holds };
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

function headerOf(top: GivenRow | undefined, path: string): CsvRow {
  if (top !== undefined && !('reason' in top)) return top;
  const reason = top === undefined ? '' : ` (${top.reason})`;
  throw new ImportFault(
    `The first line of ${shownName(path)} is not a header${reason}: give one, or name the columns in the mapping as csv.columns.`,
  );
}
