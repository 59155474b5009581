import type { Calendar } from '../../../lib/access/calendars.ts';
import { Faults } from '../../../lib/errors.ts';
import { caseHistory } from '../../../lib/history/cases/case-history.ts';
import type { CaseEvent, HistoryEvent, SessionEvent } from '../../../lib/history/cases/event.ts';
import { caseRow, sessionRow } from '../../../lib/history/cases/facts.ts';
import { subjectOf } from '../../../lib/history/cases/subject.ts';
import { countedEvents, mergeVersions } from '../../../lib/history/cases/versions.ts';
import type { LiveSegment } from '../../../lib/history/read.ts';
import type { SegmentKind } from '../../../lib/history/segments/row-position.ts';
import { openSegment } from '../../../lib/history/segments/segment.ts';
import { encodeSegment } from '../../../lib/history/segments/segment-encode.ts';
import { encodeSessions, openSessions } from '../../../lib/history/segments/session-segment.ts';
import type { CalendarRecord, SlaPolicyRecord } from '../../../lib/import/records/reference-record.ts';
import { comparedRequest } from '../../../lib/insights/compute.ts';
import { readFilters } from '../../../lib/insights/filter-request.ts';
import { type Plan, planReport, rangeRead } from '../../../lib/insights/plan.ts';
import { LAST_POSITION, type SlaPolicy } from '../../../lib/insights/promises/sla-policies.ts';
import type { Reference } from '../../../lib/insights/reference.ts';
import { readRequest } from '../../../lib/insights/request.ts';
import { mergeResults } from '../../../lib/insights/scan/scan.ts';
import { createSegmentScanner, type ScannerOptions } from '../../../lib/insights/scan/scanner.ts';
import type { Range } from '../../../lib/insights/windows.ts';
import { reportRows } from '../generators/report-rows.ts';
import { type AnyExample, FUTURE, type Row } from './example.ts';

/** The rows of the engine: it validates the request, scans each segment by itself, and merges the results. */
export function engineReport(example: AnyExample, options?: ScannerOptions): readonly Row[] {
  const all = exampleSegments(example, 2);
  const plan = planOf(example, extentOf(all));
  const segments = all.filter(({ kind, columns }) => wants(plan, headOf(kind, columns)));
  const results = segments.map((segment) => {
    const scan = createSegmentScanner(0, options).start(plan);
    scan.add(segment);
    return scan.result();
  });
  return reportRows(plan, mergeResults(plan, results));
}

/** Whether a report reads a segment, as `computeReport` asks the history for it. */
export function wants(plan: Plan, { kind, start, end }: ReturnType<typeof headOf>): boolean {
  const { min, max } = kind === 'cases' ? rangeRead(plan) : plan.range;
  if (end < min || start >= max) return false;
  const online = plan.measures.has('onlineSeconds');
  return kind === 'sessions' ? online : plan.measures.size > (online ? 1 : 0);
}

/** Plans the report of an example, or with `time.compare` its comparison; `extent` is a range that contains all facts, if it is known. */
export const planOf = (example: AnyExample, extent?: Range): Plan => {
  const { body, site, now = FUTURE } = example;
  const request = readRequest({ ...body }, site, now * 1000);
  return planReport(comparedRequest(request) ?? request, engineReference(example), extent);
};

/** The range of all facts, from the heads of segments, as a report over a stored history knows it. */
export function extentOf(segments: readonly LiveSegment[]): Range {
  const heads = segments.map(({ kind, columns }) => headOf(kind, columns)).filter(({ rows }) => rows > 0);
  return {
    min: Math.min(...heads.map(({ start }) => start)),
    max: Math.max(-1, ...heads.map(({ end }) => end)) + 1,
  };
}

/**
 * Puts the history of an example into `count` segments of cases and two of sessions. Each segment also has dead rows,
 * which have only the first half of the events of some subjects; another segment has the whole row.
 */
export function exampleSegments(example: AnyExample, count: number): LiveSegment[] {
  const events = acceptedEvents(example);
  const cases = [...byKey(events.filter(isCaseEvent), (event) => event.case)];
  const agents = [...byKey(events.filter(isSession), (event) => event.agent)];
  return [
    ...dealt(cases, count).map(({ whole, replaced }) => {
      const rows = [...whole, ...replaced.map(firstHalf)].map(([key, list]) => caseRow(key, caseHistory(list)));
      const columns = encodeSegment(rows);
      return segmentOf('cases', columns, deadOf(openSegment(columns).keys(), replaced));
    }),
    ...dealt(agents, 2).map(({ whole, replaced }) => {
      const columns = encodeSessions(
        [...whole, ...replaced.map(firstHalf)].map(([agent, list]) => sessionRow(agent, list)),
      );
      const order = openSessions(columns).rows();
      return segmentOf(
        'sessions',
        columns,
        deadOf(
          order.map(({ agent }) => agent),
          replaced,
        ),
      );
    }),
  ];
}

/** The events that count after all records were accepted, in two batches. */
function acceptedEvents({ events }: AnyExample): readonly HistoryEvent[] {
  if (events.every(({ source }) => source === undefined)) return events;
  return [...byKey(events, subjectOf).values()].flatMap((list) => {
    const half = Math.ceil(list.length / 2);
    return countedEvents(mergeVersions(mergeVersions([], list.slice(0, half)).events, list.slice(half)).events);
  });
}

const segmentOf = (kind: SegmentKind, columns: Uint8Array, dead: readonly number[]): LiveSegment => ({
  ...{ name: undefined, kind, columns, dead },
});

type Subject<K, E> = readonly [key: K, events: readonly E[]];

const firstHalf = <K, E>([key, events]: Subject<K, E>): Subject<K, E> => [
  key,
  events.slice(0, Math.ceil(events.length / 2)),
];

/** Deals subjects out to `count` segments. A subject with a dead row in one segment is whole in the next. */
function dealt<K, E>(subjects: readonly Subject<K, E>[], count: number) {
  return Array.from({ length: count }, (_, turn) => ({
    whole: subjects.filter((_, place) => place % count === turn),
    replaced: count === 1 ? [] : subjects.filter((_, place) => (place + 1) % count === turn),
  }));
}

function deadOf<K>(keys: readonly K[], replaced: readonly Subject<K, unknown>[]): number[] {
  const names = new Set(replaced.map(([key]) => key));
  return [...keys.keys()].filter((row) => names.has(keys[row] as K));
}

export const headOf = (kind: SegmentKind, columns: Uint8Array) =>
  kind === 'cases' ? openSegment(columns).head : openSessions(columns).head;

const isSession = (event: HistoryEvent): event is SessionEvent => event.type === 'agent.session';
const isCaseEvent = (event: HistoryEvent): event is CaseEvent => event.type !== 'agent.session';

function byKey<T, K>(list: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of list) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

type Named = 'agent' | 'group' | 'channel' | 'label' | 'macro' | 'company';

/** A calendar record in the form of the engine. */
export const engineCalendar = (record: CalendarRecord): Calendar => ({
  id: record.id,
  name: record.name ?? '',
  timeZone: record.time_zone ?? 'UTC',
  hours: record.hours ?? {},
  holidays: record.holidays ?? [],
  isDefault: record.default === true,
  groups: record.groups ?? [],
});

const enginePolicy = ({ id, name = '', position, filters, targets = [] }: SlaPolicyRecord): SlaPolicy => ({
  ...{ id, name, targets, position: position ?? LAST_POSITION },
  filters: readFilters(filters, new Faults()),
});

/** Reference records in the form of the engine. */
export function engineReference({
  reference: records,
  site: { rating = 'four_star' },
  now = FUTURE,
}: Pick<AnyExample, 'reference' | 'site' | 'now'>): Reference {
  const namesOf = (type: Named): ReadonlyMap<number, string> =>
    new Map(records.flatMap((record) => (record.type === type && record.name ? [[record.id, record.name]] : [])));
  return {
    rating,
    now,
    calendars: records
      .flatMap((record) => (record.type === 'calendar' && record.deleted !== true ? [engineCalendar(record)] : []))
      .sort((a, b) => a.id - b.id),
    policies: records
      .flatMap((record) => (record.type === 'sla_policy' && record.deleted !== true ? [record] : []))
      .map(enginePolicy)
      .sort((a, b) => a.position - b.position || a.id - b.id),
    names: {
      agents: namesOf('agent'),
      groups: namesOf('group'),
      channels: namesOf('channel'),
      labels: namesOf('label'),
      macros: namesOf('macro'),
      companies: namesOf('company'),
    },
    agentGroups: new Map(
      records.flatMap((record) => (record.type === 'agent' ? [[record.id, record.groups ?? []]] : [])),
    ),
    customFields: new Map(
      records.flatMap((record) =>
        record.type === 'custom_field' && record.name
          ? [[record.id, { name: record.name, listed: record.values != null }]]
          : [],
      ),
    ),
  };
}
