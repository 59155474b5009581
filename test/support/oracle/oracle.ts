import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { AnyExample, Row } from './example.ts';
import { FACT_SQL } from './facts-sql.ts';
import { isNullIn, isTotal, partsStatement, statementOf } from './fields.ts';
import { HISTORY_SQL } from './history-sql.ts';
import { INPUT_TABLES, inputRows } from './input.ts';
import { PROMISE_SQL } from './promises-sql.ts';
import { NOBODY, NOBODY_SQL, REQUEST_SQL } from './request-sql.ts';
import { TIME_SQL } from './time-sql.ts';

type Cell = number | null;
type Member = number | string | null;

/**
 * Computes reports in SQL, written from the documents alone: a second implementation that shares only the form of
 * events with the engine. Each statement handles all examples together, so that hundreds cost little more than one.
 */
export interface Oracle {
  /** The rows of each example's report, as `data` of the reply; with `time.compare` those of its comparison. */
  readonly reports: (examples: readonly AnyExample[]) => Promise<Row[][]>;
  /** What the fields of each example are made of, by field and member of `dimension1`; null has what is of none. */
  readonly parts: (examples: readonly AnyExample[]) => Promise<Parts[]>;
  /** The rows of each example's report with the range that they count, and what their cells are made of. */
  readonly cells: (examples: readonly AnyExample[]) => Promise<ReportCells[]>;
  readonly close: () => void;
}

/** What a cell is made of: a sum and what it is divided by, or the sample of a statistic in order. */
export interface CellParts {
  readonly sum: number;
  readonly per: number;
  readonly sample: readonly number[];
}
type Parts = ReadonlyMap<string, ReadonlyMap<Member, CellParts>>;

/** A report; the place of a row is its window, from 1, with its members. */
export interface ReportCells {
  readonly min: number; // s since 1970
  readonly max: number;
  readonly rows: readonly { readonly place: Place; readonly row: Row }[];
  readonly partsAt: (field: string, place: Place) => CellParts | undefined; // undefined where nothing happened
  readonly ofCases: boolean; // some dimension or filter is of cases only
}
type Place = readonly [window: number, member1: Member, member2: Member];

/** Opens an oracle in memory. */
export async function openOracle(): Promise<Oracle> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run(`SET TimeZone = 'UTC'`);
  return {
    reports: (examples) => reports(connection, examples),
    parts: (examples) => parts(connection, examples),
    cells: (examples) => reportCells(connection, examples),
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

async function reports(connection: DuckDBConnection, examples: readonly AnyExample[]): Promise<Row[][]> {
  await place(connection, examples);
  return (await placedRows(connection, examples)).map(({ rows }) => rows.map(({ row }) => row));
}

async function placedRows(connection: DuckDBConnection, examples: readonly AnyExample[]) {
  const windows = await windowLabels(connection, examples.length);
  const ofCases = new Set((await query(connection, 'SELECT h FROM of_cases')).map(({ h }) => Number(h)));
  const cells = await measured(connection, examples);
  return examples.map((example, h) => {
    const isOfCases = ofCases.has(h);
    return { ofCases: isOfCases, rows: rowsOf(example, windows[h] ?? [], cells[h] ?? new Map(), isOfCases) };
  });
}

async function reportCells(connection: DuckDBConnection, examples: readonly AnyExample[]): Promise<ReportCells[]> {
  await place(connection, examples);
  const placed = await placedRows(connection, examples);
  const ranges = new Map(
    (await query(connection, 'SELECT h, min, max FROM report')).map(({ h, min, max }) => [
      Number(h),
      { min: Number(min), max: Number(max) },
    ]),
  );
  const found = new Map<string, CellParts>();
  const keyOf = (h: unknown, field: string, at: Place): string => JSON.stringify([Number(h), field, at]);
  for (const field of new Set(examples.flatMap(({ body }) => body.fields)))
    for (const row of await query(connection, partsStatement(field)))
      found.set(keyOf(row.h, field, [Number(row.w), memberOf(row.m1), memberOf(row.m2)]), cellParts(row));
  return placed.map((report, h) => ({
    ...report,
    ...(ranges.get(h) ?? { min: 0, max: 0 }),
    partsAt: (field, at) => found.get(keyOf(h, field, at)),
  }));
}

/** Loads examples and places their facts in cells; `more` runs before they are placed. */
async function place(connection: DuckDBConnection, examples: readonly AnyExample[], more: readonly string[] = []) {
  await load(connection, examples);
  for (const statement of [...HISTORY_SQL, ...PROMISE_SQL, ...FACT_SQL, ...TIME_SQL, ...more, ...REQUEST_SQL])
    await connection.run(statement);
}

async function parts(connection: DuckDBConnection, examples: readonly AnyExample[]): Promise<Parts[]> {
  await place(connection, examples, NOBODY_SQL);
  const all = examples.map(() => new Map<string, Map<Member, CellParts>>());
  for (const field of new Set(examples.flatMap(({ body }) => body.fields))) {
    for (const row of await query(connection, partsStatement(field))) {
      const h = Number(row.h);
      const member = row.m1 === NOBODY ? null : memberOf(row.m1);
      const ofField = all[h]?.get(field) ?? new Map<Member, CellParts>();
      all[h]?.set(field, ofField.set(member, cellParts(row)));
    }
  }
  return all;
}

const cellParts = ({ sum, per, sample }: Record<string, unknown>): CellParts => ({
  sum: Number(sum ?? 0),
  per: Number(per ?? 0),
  sample: Array.isArray(sample) ? sample.map(Number).sort((a, b) => a - b) : [],
});

async function load(connection: DuckDBConnection, examples: readonly AnyExample[]): Promise<void> {
  const rows = inputRows(examples);
  for (const [table, columns] of Object.entries(INPUT_TABLES)) {
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE ${table} AS SELECT unnest(from_json($1::JSON, '${JSON.stringify([columns])}'), recursive := true)`,
      [JSON.stringify(rows[table as keyof typeof INPUT_TABLES])],
    );
  }
}

async function query(connection: DuckDBConnection, statement: string): Promise<Record<string, unknown>[]> {
  return (await connection.runAndReadAll(statement)).getRowObjectsJson();
}

/** The window labels of each example, in order; null for size `none`. */
async function windowLabels(connection: DuckDBConnection, count: number): Promise<(string | null)[][]> {
  const labels = Array.from({ length: count }, (): (string | null)[] => []);
  for (const { h, label } of await query(connection, 'SELECT h, label FROM time_window ORDER BY h, w')) {
    labels[Number(h)]?.push(label === null ? null : String(label));
  }
  return labels;
}

/** The values of each example by cell (the JSON of window, member and member) and field. */
async function measured(connection: DuckDBConnection, examples: readonly AnyExample[]): Promise<Cells[]> {
  const all = examples.map((): Cells => new Map());
  const wanted = new Set(examples.flatMap(({ body }) => body.fields));
  for (const field of wanted) {
    for (const { h, w, m1, m2, hundredths } of await query(connection, statementOf(field))) {
      const key = JSON.stringify([Number(w), memberOf(m1), memberOf(m2)]);
      const values = all[Number(h)]?.get(key) ?? new Map<string, Cell>();
      all[Number(h)]?.set(key, values.set(field, hundredths === null ? null : Number(hundredths) / 100));
    }
  }
  return all;
}

type Cells = Map<string, Map<string, Cell>>;

/** Reads a member: an integer, or the key of a custom-field value; '' means that there is no dimension. */
function memberOf(text: unknown): Member {
  if (text === '') return null;
  return /^\d+$/.test(String(text)) ? Number(text) : String(text);
}

/** The rows of a report, with their places, in their order (docs/rules.md 4). */
function rowsOf(
  { body }: AnyExample,
  labels: readonly (string | null)[],
  cells: Cells,
  ofCases: boolean,
): ReportCells['rows'] {
  const valuesOf = (values: ReadonlyMap<string, Cell> | undefined): Cell[] =>
    body.fields.map((field) => {
      if (isNullIn(field, body, ofCases)) return null;
      return values?.get(field) ?? (isTotal(field) ? 0 : null);
    });
  if (body.dimension1 === undefined && body.dimension2 === undefined) {
    return labels.map((label, at) => {
      const place: Place = [at + 1, null, null];
      return { place, row: [label, null, null, ...valuesOf(cells.get(JSON.stringify(place)))] };
    });
  }
  return [...cells]
    .map(([key, values]) => ({ place: JSON.parse(key) as Place, values: valuesOf(values) }))
    .filter(({ values }) =>
      values.some((value, at) => value !== null && (value !== 0 || !isTotal(body.fields[at] ?? ''))),
    )
    .sort((a, b) => a.place[0] - b.place[0] || compare(a.place[1], b.place[1]) || compare(a.place[2], b.place[2]))
    .map(({ place, values }) => ({ place, row: [labels[place[0] - 1] ?? null, place[1], place[2], ...values] }));
}

/** Integers by size, then texts by code point. */
function compare(a: Member, b: Member): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}
