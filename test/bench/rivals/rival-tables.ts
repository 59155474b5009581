import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { CaseRow, Fact, FactKind } from '../../../lib/history/cases/case-row.ts';
import { valueKey } from '../../support/generators/members.ts';

/** The numbers of the kinds of facts in the rivals' tables, where `first_reply` is a fact of its own. */
export const KIND = {
  ...{ created: 1, inbound: 2, outbound: 3, first_reply: 4, resolve: 5, reopen: 6 },
  ...{ view: 7, handle: 8, macro: 9, label: 10, delete: 11, rating: 12, wait: 13, presence: 14 },
} as const satisfies Record<FactKind | 'first_reply', number>;

/** The tables for PostgreSQL and DuckDB: narrow types, and values that look back or ahead are precomputed. */
export const RIVAL_TABLES = {
  case_now: 'id integer, agent smallint, grp smallint, channel smallint, priority smallint, category text',
  case_label: 'case_id integer, label smallint',
  case_macro: 'case_id integer, macro smallint',
  fact: 'kind smallint, case_id integer, t timestamp, u timestamp, agent smallint, grp smallint, value integer, replies smallint, quiet boolean, with_macro boolean',
} as const;

type Cell = number | string | boolean | null;

/** Writes the rivals' tables as CSV files into a folder. */
export interface RivalFiles {
  readonly add: (row: CaseRow) => Promise<void>;
  readonly close: () => Promise<void>;
  readonly facts: () => number; // written so far, without `first_reply`
}

export function openRivalFiles(folder: string): RivalFiles {
  const files = new Map(Object.keys(RIVAL_TABLES).map((name) => [name, createWriteStream(csvOf(folder, name))]));
  let facts = 0;
  const write = (table: keyof typeof RIVAL_TABLES, rows: readonly Cell[][]): Promise<unknown> | undefined => {
    const file = files.get(table) as WriteStream;
    const text = rows.map((row) => `${row.map((cell) => cell ?? '').join(',')}\n`).join('');
    return file.write(text) ? undefined : once(file, 'drain');
  };
  return {
    add: async (row) => {
      const rows = factRows(row);
      facts += rows.filter(([kind]) => kind !== KIND.first_reply).length;
      await write('case_now', [caseRowOf(row)]);
      await write(
        'case_label',
        row.attributes.labels.map((label) => [Number(row.key), label]),
      );
      await write(
        'case_macro',
        row.attributes.macros.map(({ macro }) => [Number(row.key), macro]),
      );
      await write('fact', rows);
    },
    close: async () => {
      for (const file of files.values()) await finished(file.end());
    },
    facts: () => facts,
  };
}

export const csvOf = (folder: string, table: string): string => join(folder, `${table}.csv`);

function caseRowOf({ key, attributes: { agent, group, channel, priority, customValues } }: CaseRow): Cell[] {
  const [custom] = customValues;
  const category = custom === undefined ? null : valueKey(custom.field, custom.value);
  return [Number(key), agent, group, channel, priority, category];
}

function factRows({ key, facts, attributes }: CaseRow): Cell[][] {
  const id = Number(key);
  const created = facts.created[0];
  const row = (kind: keyof typeof KIND, { second, agent, group }: Fact, ...rest: Cell[]): Cell[] => [
    ...[KIND[kind], id, stamp(second), rest[0] ?? null, agent, group],
    ...[rest[1] ?? null, rest[2] ?? null, rest[3] ?? null, rest[4] ?? null],
  ];
  const plain = (['created', 'inbound', 'outbound', 'reopen', 'view', 'macro', 'label', 'delete'] as const).flatMap(
    (kind) => facts[kind].map((fact) => row(kind, fact, null, fact.value)),
  );
  const handled = facts.handle.map((fact) => row('handle', fact, stamp(fact.second + fact.value)));
  const resolved = facts.resolve.map((fact, place) =>
    row(
      ...(['resolve' as const, fact, null, created ? Math.max(0, fact.second - created.second) : null] as const),
      ...[fact.value >> 1, fact.value % 2 === 1, attributes.macros.some(({ resolve }) => resolve <= place)],
    ),
  );
  const reply = facts.outbound[0];
  const first =
    created?.value === 1 && reply ? [row('first_reply', reply, null, Math.max(0, reply.second - created.second))] : [];
  return [...plain, ...handled, ...resolved, ...first];
}

const stamp = (second: number): string => new Date(second * 1000).toISOString().slice(0, 19).replace('T', ' ');
