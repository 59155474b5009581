import { keysOf } from '../../typed-object.ts';
import { ALL_TIME, type Range } from '../windows.ts';

/** What DuckDB and Trino, the engine of Athena, spell differently. The arguments are SQL texts unless a type says else. */
export interface Words {
  /** Seconds since 1970 as a whole number. */
  readonly seconds: (instant: string) => string;
  /** An instant, in seconds since 1970. */
  readonly instant: (second: number) => string;
  /** The whole part of a quotient of whole numbers from 0. */
  readonly whole: (a: string, b: string | number) => string;
  /** The whole numbers from one to another, both included. */
  readonly sequence: (from: string, to: string) => string;
  /** The value of a map at a key; null if it has none. */
  readonly valueAt: (map: string, key: string) => string;
  /** Whether two lists have a member in common. */
  readonly overlap: (one: string, other: string) => string;
  /** A condition on the month of files, which has the rows of a range of seconds be looked for there alone; empty where files have none. */
  readonly months: (range: Range) => string;
  /** A query of the rows of another one, its name or in parentheses, for each member of a list, which is the column `name`. */
  readonly each: (from: string, list: string, name: string) => string;
}

const clockText = (second: number): string => new Date(second * 1000).toISOString().slice(0, 19).replace('T', ' ');

/** The month of a second in UTC, as the files have it; of one beyond all facts the last one. */
const monthText = (second: number): string =>
  clockText(Math.min(Math.max(second, ALL_TIME.min), ALL_TIME.max - 1)).slice(0, 7);

const DUCKDB: Words = {
  seconds: (instant) => `CAST(epoch(${instant}) AS BIGINT)`,
  instant: (second) => `TIMESTAMPTZ '${clockText(second)}+00'`,
  whole: (a, b) => `(${a}) // ${b}`,
  sequence: (from, to) => `range(${from}, ${to} + 1)`,
  valueAt: (map, key) => `${map}[${key}]`,
  overlap: (one, other) => `list_has_any(${one}, ${other})`,
  months: () => '',
  each: (from, list, name) => `SELECT *, unnest(${list}) AS ${name} FROM ${from}`,
};

const LONGEST = 10_000; // members of a `sequence` of Trino

/** Instants are UTC without a zone, as Athena reads them from Parquet files. */
const TRINO: Words = {
  seconds: (instant) => `date_diff('second', TIMESTAMP '1970-01-01 00:00:00', ${instant})`,
  instant: (second) => `TIMESTAMP '${clockText(second)}'`,
  whole: (a, b) => `(${a}) / ${b}`,
  sequence: (from, to) => {
    const part = `${from} + part * ${LONGEST}`;
    const parts = `sequence(0, (${to} - ${from}) / ${LONGEST})`;
    return `flatten(transform(${parts}, part -> sequence(${part}, least(${to}, ${part} + ${LONGEST - 1}))))`;
  },
  valueAt: (map, key) => `element_at(${map}, ${key})`,
  overlap: (one, other) => `arrays_overlap(${one}, ${other})`,
  months: ({ min, max }) => ` AND month >= '${monthText(min)}' AND month <= '${monthText(max - 1)}'`,
  each: (from, list, name) =>
    `SELECT each_of.*, each_one.${name} FROM ${from} each_of CROSS JOIN UNNEST(${list}) AS each_one(${name})`,
};

export const DIALECTS = { duckdb: DUCKDB, trino: TRINO } as const satisfies Record<string, Words>;

export type StatementDialect = keyof typeof DIALECTS;

export const DIALECT_NAMES = keysOf(DIALECTS);

/** A text as SQL writes it. NUL has no place in a statement, so it is asked for by its number. */
export const quotedText = (text: string): string =>
  text
    .split('\0')
    .map((part) => `'${part.replaceAll("'", "''")}'`)
    .join(' || chr(0) || ');

/** A value as a text of SQL. */
export const castText = (value: string): string => `CAST(${value} AS VARCHAR)`;
