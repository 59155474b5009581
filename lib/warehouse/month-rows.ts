import type { History, LiveSegment } from '../history/read.ts';
import { openSessions } from '../history/segments/session-segment.ts';
import { FIELD_NAMES } from '../insights/definitions/fields.ts';
import { type Plan, planReport } from '../insights/plan.ts';
import { latestBreak } from '../insights/promises/promise-range.ts';
import { listedFields, type Reference } from '../insights/reference.ts';
import { NO_DIMENSIONS } from '../insights/request.ts';
import { createSegmentScanner } from '../insights/scan/scanner.ts';
import { ALL_TIME } from '../insights/windows.ts';
import type { FileRows } from './columns.ts';
import { createFieldValues } from './field-values.ts';
import { createMonthCases, type MonthCases } from './month-cases.ts';
import { createMonthFacts, type MonthFacts } from './month-facts.ts';
import { monthFinder, monthName } from './months.ts';
import { addCases, addSessions, addVerdicts, type RowsPlace } from './segment-facts.ts';

/** The rows of a month. */
export interface MonthRows extends FileRows {
  readonly table: 'facts' | 'verdicts' | 'cases' | 'field_values';
  readonly month: string; // `all`: of a table that is not by month
}

/**
 * Yields the facts, verdicts on promises and cases of a history month by month, each month once, and then the values of custom fields; or the verdicts alone. The segments need rows of the newest
 * version. Only months are held in memory that later segments can add to. No row depends on the present moment: a promise
 * that nobody has kept yet stands with the second at which it breaks.
 */
export async function* monthRows(
  { segments, end }: Pick<History, 'segments' | 'end'>,
  reference: Reference,
  places: ReadonlyMap<number, RowsPlace> = new Map(),
  verdictsOnly = false,
): AsyncGenerator<MonthRows> {
  const open = { facts: new Map<number, MonthFacts>(), verdicts: new Map<number, MonthFacts>() };
  const cases = new Map<number, MonthCases>();
  const values = createFieldValues(listedFields(reference));
  const months = {
    facts: openIn(open.facts, createMonthFacts),
    verdicts: openIn(open.verdicts, createMonthFacts),
    cases: openIn(cases, createMonthCases),
    monthOf: monthFinder(),
  };
  const { monthOf } = months;
  let here = NOWHERE;
  const { add } = createSegmentScanner(0).walk(
    exportPlan({ ...reference, now: latestBreak(reference, end) }),
    (view) => {
      if (!verdictsOnly) addCases(view, months, here);
      if (reference.policies.length > 0) addVerdicts(view, months, here);
    },
  );
  function* before(month: number): Generator<MonthRows> {
    yield* taken(open.facts, 'facts', month);
    yield* taken(open.verdicts, 'verdicts', month);
    yield* taken(cases, 'cases', month);
  }
  for await (const part of segments) {
    for (const segment of part) {
      yield* before(segment.from === undefined ? 0 : monthOf(segment.from));
      here = places.get(segment.id ?? -1) ?? NOWHERE;
      if (segment.kind === 'cases') {
        add(segment);
        if (!verdictsOnly) values.add(segment);
      } else addSessions(liveSessions(segment), months);
    }
  }
  yield* before(Number.POSITIVE_INFINITY);
  const found = values.finish();
  if (found !== undefined) yield { table: 'field_values', month: 'all', ...found };
}

const NOWHERE: RowsPlace = { born: 0, segment: 0 };

/** The plan of a report on everything: one cell, and every measure. */
function exportPlan(reference: Reference): Plan {
  const time = { ...ALL_TIME, size: 'none', zone: { name: 'UTC' }, weekStart: 0 } as const;
  return planReport({ ...NO_DIMENSIONS, fields: FIELD_NAMES, filters: null, time }, reference);
}

function openIn<T>(all: Map<number, T>, make: () => T): (month: number) => T {
  return (month) => {
    const known = all.get(month);
    if (known !== undefined) return known;
    const made = make();
    all.set(month, made);
    return made;
  };
}

/** Takes the months before a month out of those that are open. */
function* taken<T extends { finish(): FileRows }>(
  open: Map<number, T>,
  table: MonthRows['table'],
  before: number,
): Generator<MonthRows> {
  for (const month of [...open.keys()].filter((each) => each < before).sort((a, b) => a - b)) {
    const rows = open.get(month)?.finish();
    open.delete(month);
    if (rows !== undefined) yield { table, month: monthName(month), ...rows };
  }
}

function liveSessions({ columns, dead }: LiveSegment) {
  const gone = new Set(dead);
  return openSessions(columns)
    .rows()
    .filter((_, row) => !gone.has(row));
}
