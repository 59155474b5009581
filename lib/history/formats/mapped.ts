import { Rejection } from '../fields.ts';
import { ImportFault } from '../import-fault.ts';
import { activities } from './activities.ts';
import { type FieldDefinition, fieldDefinition } from './attributes.ts';
import { type CaseGroup, caseGroups, GROUP_BOUNDS, type GroupBounds, type KeyedRow } from './case-groups.ts';
import { caseFolder, caseReader } from './case-rows.ts';
import type { Columns } from './columns.ts';
import { type CsvRow, cutRow, type Dialect, readCsv } from './csv.ts';
import type { Mapping } from './mapping.ts';
import { newMembers } from './members.ts';
import { messages } from './messages.ts';
import type { RejectedRow, Row } from './row.ts';
import { snapshots } from './snapshots.ts';

type GivenRow = CsvRow | RejectedRow;

/** A mapped CSV: its rows with records, and its header as it came (undefined: it has none, or is not read yet). */
export interface MappedCsv {
  readonly batches: AsyncGenerator<readonly Row[]>;
  readonly header: () => string | undefined;
}

/** Reads a CSV by a mapping. Rows of a case need not stand together. Throws `ImportFault` where file and mapping differ. */
export function readMapped(
  bytes: AsyncIterable<Uint8Array>,
  mapping: Mapping,
  bounds: GroupBounds = GROUP_BOUNDS,
): MappedCsv {
  let header: string | undefined;
  const dialect = dialectOf(mapping);
  return { batches: batches(), header: () => header };

  async function* batches(): AsyncGenerator<readonly Row[]> {
    const held = caseGroups(bounds);
    let reading: Reading | undefined;
    try {
      for await (const given of readCsv(bytes, dialect)) {
        if (given.length === 0) continue;
        let rows = given;
        if (reading === undefined && mapping.csv.columns === undefined) {
          const top = headerOf(given[0]);
          header = top.raw;
          rows = given.slice(1);
          reading = newReading(mapping, top.cells, dialect);
        }
        reading ??= newReading(mapping, mapping.csv.columns ?? [], dialect);
        const { keyed, rejected } = sorted(rows, reading);
        await held.add(keyed);
        if (rejected.length > 0) yield rejected;
      }
      if (reading === undefined) throw new ImportFault('The file is empty: a CSV starts with its header.');
      for await (const groups of held.groups()) yield groups.flatMap(reading.fold);
      const definitions = reading.definitions.map(({ record }) => record());
      if (definitions.length > 0) yield [{ line: 0, raw: '', records: definitions }]; // of no line: all have been met now
    } finally {
      await held.close();
    }
  }
}

/** What a mapping and a file's columns make together. */
interface Reading {
  readonly columns: Columns;
  readonly caseOf: (cells: readonly string[]) => string;
  readonly fold: (group: CaseGroup) => Row[];
  readonly definitions: readonly FieldDefinition[];
}

function newReading(mapping: Mapping, header: readonly string[], dialect: Dialect): Reading {
  const names = header.map((name) => name.trim());
  const nulls = new Set(['', ...mapping.csv.null]);
  const columns: Columns = { names, nulls, time: mapping.time, members: newMembers() };
  const specs = mapping.kind === 'snapshots' ? mapping.custom_fields : (mapping.created?.custom_fields ?? []);
  const definitions = specs.map((spec) => fieldDefinition(columns, spec));
  return { columns, caseOf: caseReader(columns, mapping), fold: folder(), definitions };

  function folder(): Reading['fold'] {
    const cut = (raw: string) => cellsOf(raw, dialect);
    switch (mapping.kind) {
      case 'snapshots':
        return caseFolder(columns, mapping, snapshots(columns, mapping, definitions), cut);
      case 'messages':
        return caseFolder(columns, mapping, messages(columns, mapping, definitions), cut);
      case 'activities':
        return caseFolder(columns, mapping, activities(columns, mapping, definitions), cut);
    }
  }
}

/** Rows with their case, and those that have none or too few columns. */
function sorted(rows: readonly GivenRow[], reading: Reading): { keyed: KeyedRow[]; rejected: RejectedRow[] } {
  const { columns, caseOf } = reading;
  const keyed: KeyedRow[] = [];
  const rejected: RejectedRow[] = [];
  for (const row of rows) {
    if ('reason' in row) {
      rejected.push(row);
      continue;
    }
    const { line, raw, cells } = row;
    try {
      checkCount(cells, columns.names.length);
      keyed.push({ line, raw, caseKey: caseOf(cells) });
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      rejected.push({ line, raw, reason: error.message });
    }
  }
  return { keyed, rejected };
}

/** A row has as many cells as the file has columns; empty ones at its end are let pass. */
function checkCount(cells: readonly string[], columns: number): void {
  if (cells.length < columns) throw new Rejection(`the row has ${cells.length} of ${columns} columns`);
  if (cells.slice(columns).some((cell) => cell.trim() !== '')) {
    throw new Rejection(`the row has ${cells.length} columns instead of ${columns}`);
  }
}

/** How a mapping says that its CSV is written. */
export function dialectOf(mapping: Mapping): Dialect {
  const { separator, quote, encoding, skip } = mapping.csv;
  return { separator, quote: quote === '' ? '\0' : quote, encoding, skip };
}

function headerOf(top: GivenRow | undefined): CsvRow {
  if (top !== undefined && 'cells' in top) return top;
  const reason = top === undefined ? '' : ` (${top.reason})`;
  throw new ImportFault(
    `The first line is no header${reason}: give one, or name the columns in the mapping as csv.columns.`,
  );
}

function cellsOf(raw: string, dialect: Dialect): readonly string[] {
  const cells = cutRow(raw, dialect);
  if (!Array.isArray(cells)) throw new Rejection('the row cannot be cut into cells');
  return cells;
}
