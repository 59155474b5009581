import { certain } from '../../certain.ts';
import type { Instant } from '../../history/cases/event.ts';
import { openCases, type PackedCases } from '../known/known-cases.ts';
import { Rejection } from '../records/fields.ts';
import { openSpill, type Spill, type SpillBounds } from '../spill/spill.ts';
import { type BrokenRow, type CsvRow, cellsOf, type Dialect, pickCells, readCsv } from './csv.ts';
import type { Findings } from './findings.ts';
import { type HeldForm, type HeldRow, heldForm } from './held-row.ts';
import { ImportFault } from './import-fault.ts';
import { readLookups } from './lookups.ts';
import type { Mapping } from './mapping.ts';
import { newReading, type Reading } from './reading.ts';
import type { Batch, DigestedCases, RejectedRow, Row, WholeCases } from './row.ts';

type GivenRow = CsvRow | BrokenRow;

/** A mapped CSV: its rows with records, and its header as it came (undefined: it has none, or is not read yet). */
export interface MappedCsv {
  readonly batches: AsyncGenerator<Batch>;
  readonly header: () => string | undefined;
  readonly rows: () => RowCount;
}

/** What reading a mapped CSV needs. */
export interface MappedOptions {
  readonly folder: string; // for a temporary file
  readonly findings: Findings;
  readonly bounds?: SpillBounds;
  readonly isPart?: boolean; // of several files about the same cases
  readonly isLenient?: boolean; // a column that the file lacks is empty
  readonly known?: KnownHolder; // absent: each case is read
  readonly source?: string | undefined; // of the events, where it is not the import's
}

/** What is known of cases from the last import, to be there before the first row is asked for. */
export interface KnownHolder {
  cases?: PackedCases;
  salt?: string; // what else than mapping and file decides what rows come to
  wantsLast?: boolean; // when the latest of them changed
}

/** How many rows that can be cut have been read so far, and how many of them have been given on with the rest of their case. */
export interface RowCount {
  readonly read: number;
  readonly given: number;
}

const HELD_BOUNDS: SpillBounds = { waiting: 14_000_000, group: 2_000_000 };
/** Rows that are made into records together, or a case's: so few that most of what is made of them dies young. */
const TOGETHER = 250;

/**
 * Reads a CSV by a mapping: first what is wrong with rows by themselves, and once all are read the cases, whole, for
 * rows of one need not stand together. They wait in a file that has no name. Throws `ImportFault` where file and mapping
 * differ.
 */
export function readMapped(
  bytes: AsyncIterable<Uint8Array>,
  mapping: Mapping,
  { folder, findings, bounds = HELD_BOUNDS, isPart = false, isLenient = false, known, source }: MappedOptions,
): MappedCsv {
  let header: string | undefined;
  const count = { read: 0, given: 0 };
  const dialect = dialectOf(mapping);
  return { batches: batches(), header: () => header, rows: () => count };

  async function* batches(): AsyncGenerator<Batch> {
    const form = heldForm(dialect.separator);
    const salt = known?.salt ?? '';
    const context = { form, findings, isPart, isLenient, salt, source, lookups: await readLookups(mapping, dialect) };
    const held = openSpill(folder, form, bounds);
    let reading: Reading | undefined;
    try {
      for await (const read of readCsv(bytes, dialect)) {
        let rows = read;
        if (read.length === 0 && reading === undefined) continue;
        if (reading === undefined && mapping.csv.columns === undefined) {
          const top = headerOf(read[0]);
          header = top.raw;
          rows = read.slice(1);
          reading = newReading(mapping, cellsOf(top, dialect), context);
        }
        reading ??= newReading(mapping, mapping.csv.columns ?? [], context);
        const { given, holds } = sortOut(rows, reading, { dialect, form, held });
        count.read += holds;
        yield given;
        await held.rest();
      }
      if (reading === undefined) throw new ImportFault('The file is empty: a CSV starts with its header.');
      const whole = wholeCases(reading, known);
      for await (const group of held.groups()) {
        for (const rows of inBatches(group.values())) {
          yield whole.read(rows);
          count.given += rows.reduce((sum, { length }) => sum + length, 0);
        }
      }
      reading.note(whole.anyKnown());
      const definitions = reading.definitions.map(({ record }) => record());
      if (definitions.length > 0) yield [{ line: 0, records: definitions }]; // of no line: all have been met now
    } finally {
      await held.close();
    }
  }
}

/** Reads cases whole; with `known`, those that are known are only named. */
function wholeCases({ rows, digestOf, meet, lastOf }: Reading, known: KnownHolder | undefined) {
  const fold = 'fold' in rows ? rows.fold : () => [];
  const before = known?.cases && openCases(known.cases);
  let anyKnown = false;
  return {
    anyKnown: () => anyKnown,
    read(cases: readonly (readonly HeldRow[])[]): WholeCases {
      if (before === undefined || digestOf === undefined) return { cases: cases.flatMap(fold) };
      const [digests, same] = [newDigested(), newDigested()];
      const read: Row[] = [];
      let last: Instant | undefined;
      for (const held of cases) {
        const digest = digestOf(held);
        const shape = before.shapeOf(digest);
        const list = shape < 0 ? digests : same;
        list.keys.push(certain(held[0]).caseKey);
        list.high.push(digest.high);
        list.low.push(digest.low);
        list.shape.push(shape);
        if (shape < 0) {
          for (const row of fold(held)) read.push(row);
          continue;
        }
        meet(held);
        const changed = known?.wantsLast ? lastOf(held) : undefined;
        if (changed !== undefined && changed > (last ?? -1)) last = changed;
      }
      anyKnown ||= same.keys.length > 0;
      return { cases: read, digests, known: same, ...(last === undefined ? {} : { last }) };
    },
  };
}

interface GrowingDigests extends DigestedCases {
  readonly keys: string[];
  readonly high: number[];
  readonly low: number[];
  readonly shape: number[];
}

const newDigested = (): GrowingDigests => ({ keys: [], high: [], low: [], shape: [] });

/** Holds rows back until the rest of their cases has come; gives those that have no case, or not all columns, and members. */
function sortOut(
  rows: readonly GivenRow[],
  { width, places, takes, rows: reading }: Reading,
  { dialect, form, held }: { dialect: Dialect; form: HeldForm; held: Spill<HeldRow> },
): { readonly given: Row[]; readonly holds: number } {
  const given: Row[] = [];
  let holds = 0;
  for (const row of rows) {
    if ('reason' in row) {
      given.push(row);
      continue;
    }
    try {
      const cells = pickCells(row, dialect, places, width);
      if ('recordsOf' in reading) given.push({ line: row.line, raw: row.raw, records: reading.recordsOf(cells) });
      else if (takes(cells)) {
        held.add(form.hold(row.line, reading.caseOf(cells), cells, row.quoted === undefined));
        holds += 1;
      }
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      given.push(rejectedRow(row, error.message));
    }
  }
  return { given, holds };
}

const rejectedRow = ({ line, raw }: CsvRow, reason: string): RejectedRow => ({ line, raw, reason });

/** Some cases at a time. */
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

/** How a mapping says that its CSV is written. */
export function dialectOf(mapping: Mapping): Dialect {
  const { separator, quote, encoding, skip } = mapping.csv;
  return { separator, quote: quote === '' ? '\0' : quote, encoding, skip };
}

function headerOf(top: GivenRow | undefined): CsvRow {
  if (top !== undefined && !('reason' in top)) return top;
  const reason = top === undefined ? '' : ` (${top.reason})`;
  throw new ImportFault(
    `The first line is not a header${reason}: give one, or name the columns in the mapping as csv.columns.`,
  );
}
