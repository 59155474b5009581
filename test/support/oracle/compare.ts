import type { HistoryEvent } from '../../../lib/history/cases/event.ts';
import type { AnyExample, Row } from './example.ts';
import { type Counted, countKinds } from './kinds.ts';
import type { Oracle } from './oracle.ts';

/** The result of a comparison. */
export interface Comparison {
  readonly histories: number;
  readonly reports: number;
  readonly rows: number;
  readonly cells: number; // values of data fields
  readonly kinds: Readonly<Record<string, Counted>>; // the cells of extensions, by kind
  readonly differences: readonly Difference[];
}

/** An example on which oracle and engine differ. */
export interface Difference {
  readonly example: AnyExample;
  readonly expected: readonly Row[]; // the oracle's
  readonly got: readonly Row[] | string; // the engine's, or its error
}

type Engine = (example: AnyExample) => readonly Row[];

/** Compares the engine with the oracle, cell by cell, on all examples. */
export async function compareReports(
  oracle: Oracle,
  engine: Engine,
  examples: readonly AnyExample[],
): Promise<Comparison> {
  const all = await oracle.reports(examples);
  const differences = examples.flatMap((example, place) => difference(example, all[place] ?? [], engine) ?? []);
  return {
    histories: new Set(examples.map(({ events }) => events)).size,
    reports: examples.length,
    rows: all.flat().length,
    cells: all
      .flatMap((rows, place) => rows.map(() => examples[place]?.body.fields.length ?? 0))
      .reduce((a, b) => a + b, 0),
    kinds: countKinds(examples, all),
    differences,
  };
}

function difference(example: AnyExample, expected: readonly Row[], engine: Engine): Difference | undefined {
  const got = attempt(example, engine);
  return JSON.stringify(got) === JSON.stringify(expected) ? undefined : { example, expected, got };
}

function attempt(example: AnyExample, engine: Engine): readonly Row[] | string {
  try {
    return engine(example);
  } catch (error) {
    return error instanceof Error ? `${error.message} ${JSON.stringify(error)}` : String(error);
  }
}

/** Shrinks a difference: leaves out one thing after another as long as oracle and engine still differ. */
export async function shrink(oracle: Oracle, engine: Engine, start: Difference): Promise<Difference> {
  let smallest = start;
  for (let again = true; again; ) {
    const candidates = [...simpler(smallest.example)];
    const { differences } = await compareReports(oracle, engine, candidates);
    again = differences[0] !== undefined;
    smallest = differences[0] ?? smallest;
  }
  return smallest;
}

/** Smaller examples, the smallest ones first. */
function* simpler({ events, body, ...rest }: AnyExample): Generator<AnyExample> {
  const withEvents = (kept: readonly HistoryEvent[]): AnyExample => ({ events: kept, body, ...rest });
  for (let size = Math.ceil(events.length / 2); size >= 1; size = size > 1 ? Math.ceil(size / 2) : 0) {
    for (let from = 0; from < events.length; from += size) {
      yield withEvents(events.filter((_, place) => place < from || place >= from + size));
    }
  }
  for (const less of simplerBodies(body)) yield { events, body: less, ...rest };
  if (rest.reference.length > 0) yield { events, body, ...rest, reference: [] };
}

function* simplerBodies(body: AnyExample['body']): Generator<AnyExample['body']> {
  const { fields, filters = [] } = body;
  if (fields.length > 1) for (const field of fields) yield { ...body, fields: [field] };
  for (const dimension of ['dimension1', 'dimension2'] as const) {
    const { [dimension]: name, [`${dimension}_values` as const]: values, ...without } = body;
    if (name !== undefined) yield without;
    if (name !== undefined && values) yield { ...without, [dimension]: name };
  }
  for (const g of filters.keys()) {
    yield { ...body, filters: filters.filter((_, place) => place !== g) };
    for (const c of (filters[g] ?? []).keys()) {
      yield {
        ...body,
        filters: filters.map((group, at) => (at === g ? group.filter((_, place) => place !== c) : group)),
      };
    }
  }
  if (body.time.window_size !== 'none') yield { ...body, time: { ...body.time, window_size: 'none' } };
}

/** Describes a difference for people. */
export function describeDifference({ example, expected, got }: Difference): string {
  const { events, ...rest } = example;
  const dated = events.map((event) => `  ${new Date(event.at / 1000).toISOString()} ${JSON.stringify(event)}`);
  const changed =
    typeof got === 'string'
      ? got
      : got
          .filter((row) => !expected.some((other) => same(row, other)))
          .map((row) => JSON.stringify(row))
          .join('\n  ');
  const missing = expected
    .filter((row) => typeof got === 'string' || !got.some((other) => same(row, other)))
    .map((row) => JSON.stringify(row));
  return [JSON.stringify(rest), 'events', ...dated, `oracle\n  ${missing.join('\n  ')}`, `engine\n  ${changed}`].join(
    '\n',
  );
}

const same = (a: Row, b: Row): boolean => JSON.stringify(a) === JSON.stringify(b);
