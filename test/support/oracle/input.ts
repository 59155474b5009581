import { type CaseEvent, type HistoryEvent, isMark } from '../../../lib/history/cases/event.ts';
import type { CalendarRecord, ReferenceRecord, SlaPolicyRecord } from '../../../lib/import/records/reference-record.ts';
import type { FilterObjectName } from '../../../lib/insights/definitions/filters.ts';
import { WEEK_DAYS } from '../../../lib/vocabulary.ts';
import { type AnyExample, type Condition, FUTURE } from './example.ts';

type Plain = Record<string, unknown>;

/** The raw tables that the SQL starts from; they have no derived values. `h` is the index of the example. */
export const INPUT_TABLES = {
  event: {
    ...{ h: 'INTEGER', seq: 'INTEGER', subject: 'VARCHAR', id: 'VARCHAR', type: 'VARCHAR', micros: 'BIGINT' },
    ...{ source: 'VARCHAR', as0: 'BIGINT', as1: 'BIGINT', as2: 'BIGINT' },
    ...{ agent: 'BIGINT', grp: 'BIGINT', automated: 'BOOLEAN', status: 'VARCHAR', direction: 'VARCHAR' },
    ...{
      macro: 'BIGINT',
      score: 'INTEGER',
      labels: ['BIGINT'],
      added: ['BIGINT'],
      removed: ['BIGINT'],
      begins: 'BIGINT',
      ends: 'BIGINT',
    },
    sets: [{ attribute: 'VARCHAR', value: 'VARCHAR' }],
  },
  named: { h: 'INTEGER', dimension: 'VARCHAR', member: 'VARCHAR', name: 'VARCHAR' },
  agent_group: { h: 'INTEGER', agent: 'BIGINT', grp: 'BIGINT' },
  custom_field: { h: 'INTEGER', field: 'VARCHAR', name: 'VARCHAR', listed: 'BOOLEAN' },
  calendar: { h: 'INTEGER', cal: 'BIGINT', zone: 'VARCHAR', is_default: 'BOOLEAN', groups: ['VARCHAR'] },
  calendar_period: { h: 'INTEGER', cal: 'BIGINT', weekday: 'INTEGER', begins: 'INTEGER', ends: 'INTEGER' },
  calendar_holiday: { h: 'INTEGER', cal: 'BIGINT', first: 'VARCHAR', last: 'VARCHAR' },
  request: {
    ...{ h: 'INTEGER', min: 'BIGINT', max: 'BIGINT', sent_offset: 'INTEGER', size: 'VARCHAR', zone: 'VARCHAR' },
    ...{
      site_zone: 'VARCHAR',
      week_start: 'INTEGER',
      compare: 'VARCHAR',
      named_min: 'BIGINT',
      named_max: 'BIGINT',
      last: 'INTEGER',
      unit: 'VARCHAR',
      including: 'BOOLEAN',
      dimension1: 'VARCHAR',
      dimension2: 'VARCHAR',
      now: 'BIGINT',
      yes_no: 'BOOLEAN',
      business: 'BOOLEAN',
    },
    ...{ values1: ['VARCHAR'], values2: ['VARCHAR'] },
  },
  sla_policy: { h: 'INTEGER', pol: 'BIGINT', position: 'BIGINT' },
  sla_target: {
    ...{ h: 'INTEGER', pol: 'BIGINT', k: 'INTEGER', metric: 'VARCHAR', priorities: ['VARCHAR'], seconds: 'BIGINT' },
    business: 'BOOLEAN',
  },
  filter_group: { h: 'INTEGER', pol: 'BIGINT', g: 'INTEGER' }, // of a policy; 0: of the report
  condition: {
    ...{
      h: 'INTEGER',
      pol: 'BIGINT',
      g: 'INTEGER',
      c: 'INTEGER',
      include: 'BOOLEAN',
      dimension: 'VARCHAR',
      contains: 'BOOLEAN',
    },
    ...{ text: 'VARCHAR', exact: 'BOOLEAN', ids: ['VARCHAR'] },
  },
} as const;

/** The dimension whose members each filter object of docs/interface.md names. */
const FILTER_OBJECTS: Readonly<Record<string, string>> = {
  Channels: 'channel',
  Groups: 'assigned_group',
  Agents: 'assigned_agent',
  Labels: 'label',
  'Custom Fields': 'custom_field',
  Priorities: 'priority',
  Macros: 'macro',
  Companies: 'company',
  'CSat Score': 'csat_score',
  Statuses: 'status',
} satisfies Record<FilterObjectName, string>;

const NAMED_DIMENSIONS: Readonly<Record<string, readonly string[]>> = {
  agent: ['assigned_agent'],
  group: ['assigned_group'],
  label: ['label'],
  channel: ['channel'],
  company: ['company'],
  macro: ['macro'],
};

/** The rows of all input tables for some examples. */
export function inputRows(examples: readonly AnyExample[]): Record<keyof typeof INPUT_TABLES, Plain[]> {
  const all = <T>(rows: (example: AnyExample, h: number) => readonly T[]): (T & { h: number })[] =>
    examples.flatMap((example, h) => rows(example, h).map((row) => ({ h, ...row })));
  return {
    event: all(({ events }) => events.map((event, seq) => ({ seq, ...eventRow(event) }))),
    named: all(({ reference }) => reference.flatMap(nameRows)),
    agent_group: all(({ reference }) =>
      reference.flatMap((record) =>
        record.type === 'agent' ? (record.groups ?? []).map((grp) => ({ agent: record.id, grp })) : [],
      ),
    ),
    custom_field: all(({ reference }) =>
      reference.flatMap((record) =>
        record.type === 'custom_field'
          ? [{ field: String(record.id), name: record.name, listed: record.values != null }]
          : [],
      ),
    ),
    calendar: all(({ reference }) =>
      calendarsIn(reference).map((record) => ({
        ...{ cal: record.id, zone: record.time_zone, is_default: record.default === true },
        groups: (record.groups ?? []).map(String),
      })),
    ),
    calendar_period: all(({ reference }) => calendarsIn(reference).flatMap(periodRows)),
    calendar_holiday: all(({ reference }) =>
      calendarsIn(reference).flatMap(({ id, holidays }) =>
        (holidays ?? []).map((each) =>
          'date' in each
            ? { cal: id, first: each.date, last: each.date }
            : { cal: id, first: each.from, last: each.to },
        ),
      ),
    ),
    request: all((example) => [requestRow(example)]),
    sla_policy: all(({ reference }) => policiesIn(reference).map(({ id, position }) => ({ pol: id, position }))),
    sla_target: all(({ reference }) =>
      policiesIn(reference).flatMap(({ id, targets = [] }) =>
        targets.map(({ metric, priorities, seconds, hours }, k) => ({
          ...{ pol: id, k, metric, priorities: priorities?.map(String), seconds },
          business: hours === 'business',
        })),
      ),
    ),
    filter_group: all((example) =>
      filtersIn(example).flatMap(({ pol, filters }) => filters.map((_, g) => ({ pol, g }))),
    ),
    condition: all((example) =>
      filtersIn(example).flatMap(({ pol, filters }) =>
        filters.flatMap((group, g) => group.map((condition, c) => ({ pol, g, c, ...conditionRow(condition) }))),
      ),
    ),
  };
}

const calendarsIn = (reference: readonly ReferenceRecord[]): CalendarRecord[] =>
  reference.flatMap((record) => (record.type === 'calendar' && record.deleted !== true ? [record] : []));

const policiesIn = (reference: readonly ReferenceRecord[]): SlaPolicyRecord[] =>
  reference.flatMap((record) => (record.type === 'sla_policy' && record.deleted !== true ? [record] : []));

/** The filters of the report and of each policy. */
function filtersIn({ body, reference }: AnyExample): { pol: number; filters: readonly (readonly Condition[])[] }[] {
  const ofPolicies = policiesIn(reference).map(({ id, filters }) => ({
    pol: id,
    filters: (filters ?? []) as readonly (readonly Condition[])[],
  }));
  return [{ pol: 0, filters: body.filters ?? [] }, ...ofPolicies];
}

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

function periodRows({ id, hours = {} }: CalendarRecord): Plain[] {
  const minutes = (clock: string): number => Number(clock.split(':')[0]) * 60 + Number(clock.split(':')[1]);
  return DAYS.flatMap((day, at) =>
    (hours[day] ?? []).map(([from, to]) => ({ cal: id, weekday: at + 1, begins: minutes(from), ends: minutes(to) })),
  );
}

function eventRow(event: HistoryEvent): Plain {
  const { id, type, at, agent, source, as_of: [as0, as1, as2] = [] } = event;
  const base = { id, type, micros: at, source, as0, as1, as2 };
  if (type === 'agent.session')
    return { subject: `agent:${agent}`, ...base, agent, begins: event.from, ends: event.to };
  if (type === 'agent.version') return { subject: `agent:${agent}`, ...base };
  if (isMark(event)) return { subject: `case:${event.case}`, ...base };
  const who = event.automated ? { automated: true } : { automated: false, agent, grp: event.group };
  return { subject: `case:${event.case}`, ...base, ...who, ...details(event), sets: settings(event) };
}

function details(event: CaseEvent): Plain {
  switch (event.type) {
    case 'case.created':
      return { labels: event.labels, status: event.status };
    case 'case.labels':
      return { labels: event.set, added: event.add, removed: event.remove };
    case 'case.status':
      return { status: event.to };
    case 'case.handled':
      return { begins: event.from, ends: event.to };
    case 'interaction':
      return { direction: event.direction };
    case 'macro.applied':
      return { macro: event.macro };
    case 'csat.rated':
      return { score: event.score };
    default:
      return {};
  }
}

/** The attributes that an event sets; null clears an attribute, and an absent key leaves it as it is. */
function settings(event: CaseEvent): Plain[] {
  const given = (pairs: Readonly<Record<string, unknown>>): Plain[] =>
    Object.entries(pairs)
      .filter(([, value]) => value !== undefined)
      .map(([attribute, value]) => ({ attribute, value: value === null ? null : String(value) }));
  switch (event.type) {
    case 'case.created':
      return [
        ...given({ channel: event.channel, priority: event.priority, company: event.company, status: event.status }),
        ...Object.entries(event.custom_fields ?? {}).map(([id, value]) => ({ attribute: `custom_field:${id}`, value })),
      ];
    case 'case.assigned':
      return given({ assigned_agent: event.to.agent, assigned_group: event.to.group });
    case 'case.priority':
      return given({ priority: event.priority });
    case 'case.company':
      return given({ company: event.company });
    case 'case.custom_field':
      return given({ [`custom_field:${event.field}`]: event.value });
    case 'case.status':
      return given({ status: event.to });
    case 'csat.rated':
      return given({ csat_score: event.score });
    default:
      return [];
  }
}

function nameRows(record: ReferenceRecord): Plain[] {
  const name = 'name' in record ? record.name : undefined;
  if (!('id' in record) || name == null) return [];
  return (NAMED_DIMENSIONS[record.type] ?? []).map((dimension) => ({ dimension, member: String(record.id), name }));
}

function requestRow({ body, site, now = FUTURE }: AnyExample): Plain {
  const { window_size: size, time_zone: zone } = body.time;
  return {
    ...{ size, zone, ...rangeRow(body.time), ...comparisonRow(body.time) },
    ...{ site_zone: site.timeZone, week_start: WEEK_DAYS.indexOf(site.weekStart) },
    ...{ dimension1: body.dimension1 ?? '', dimension2: body.dimension2 ?? '' },
    ...{ now, yes_no: site.rating === 'yes_no', business: body.hours === 'business' },
    ...{ values1: texts(body.dimension1_values), values2: texts(body.dimension2_values) },
  };
}

function rangeRow(time: AnyExample['body']['time']): Plain {
  if ('last' in time) return { last: time.last, unit: time.unit, including: time.including_current };
  return { min: seconds(time.min), max: seconds(time.max), sent_offset: offset(time.min) };
}

function comparisonRow(time: AnyExample['body']['time']): Plain {
  if (!('compare' in time)) return {};
  const { compare } = time;
  if (typeof compare === 'string') return { compare };
  return { compare: 'named', named_min: seconds(compare.min), named_max: seconds(compare.max) };
}

/** The values of a dimension as texts; null for all (docs/rules.md 26). */
const texts = (values: readonly (number | string)[] | null | undefined): string[] | null =>
  values && values.length > 0 ? values.map(String) : null;

const seconds = (text: string): number => Math.floor(Date.parse(text) / 1000);

function offset(text: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(text) ?? [];
  return (sign === '-' ? -60 : 60) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}

function conditionRow(condition: Condition): Plain {
  const [action, object] = condition;
  const [match, text, exact, ids] =
    condition.length === 3
      ? ['Is', '', false, condition[2]]
      : ([condition[2], condition[3], condition[4], condition[5]] as const);
  return {
    include: action === 'Include',
    dimension: FILTER_OBJECTS[object],
    contains: match === 'Contains',
    text: text ?? '',
    exact: exact ?? false,
    ids: (ids ?? []).map(({ id }) => id),
  };
}
