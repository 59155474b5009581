import { type Period, readLast, readRange, USUAL_PERIOD, type WindowSize, writeLast } from '../period.ts';

export const CHARTS = ['line', 'bars', 'stacked', 'heat'] as const;
export type Chart = (typeof CHARTS)[number];

export const COMPARISONS = ['previous_period', 'previous_year'] as const;
type Comparison = (typeof COMPARISONS)[number];

/** One condition of a filter: members with some ids, or members whose names contain a text. */
export interface Condition {
  readonly action: 'Include' | 'Exclude';
  readonly object: string; // Channels, Labels, …
  readonly ids: readonly string[];
  readonly text: string; // empty for a condition by ids
}

/** The state of a report page, all of which is in its address. */
export interface ReportState {
  readonly fields: readonly string[];
  readonly by: string | null;
  readonly byValues: readonly string[]; // empty for all
  readonly and: string | null;
  readonly andValues: readonly string[];
  readonly per: WindowSize;
  readonly period: Period;
  readonly zone: string | null; // null for the site's zone
  readonly compare: Comparison | null;
  readonly hours: 'business' | null;
  readonly filters: readonly (readonly Condition[])[]; // all conditions of at least one group must hold
  readonly chart: Chart | null; // null for the one that suits the result
  readonly chartField: number; // index of the field that the chart shows
  readonly sort: Sort | null; // null for the order of the service
  readonly saved: string | null; // id of the saved report that it began as
}

export interface Sort {
  readonly column: number; // index in the table
  readonly descending: boolean;
}

export const WINDOW_SIZES: readonly WindowSize[] = ['none', 'hour', 'day', 'week', 'month'];

/** The default report. */
export const USUAL_REPORT: ReportState = {
  fields: ['case_creates', 'resolved_cases'],
  by: null,
  byValues: [],
  and: null,
  andValues: [],
  per: 'day',
  period: USUAL_PERIOD,
  zone: null,
  compare: null,
  hours: null,
  filters: [],
  chart: null,
  chartField: 0,
  sort: null,
  saved: null,
};

/** Reads a state from the query of an address; missing or wrong parts are as in the default report. */
export function readReportState(query: URLSearchParams): ReportState {
  const by = query.get('by');
  const and = by === null || query.get('and') === by ? null : query.get('and');
  return {
    fields: unique(list(query.get('show'))) ?? USUAL_REPORT.fields,
    by,
    byValues: by === null ? [] : list(query.get('by_only')),
    and,
    andValues: and === null ? [] : list(query.get('and_only')),
    per: WINDOW_SIZES.find((size) => size === query.get('per')) ?? USUAL_REPORT.per,
    period: readRange(query.get('from'), query.get('until')) ?? readLast(query.get('last')) ?? USUAL_REPORT.period,
    zone: query.get('zone'),
    compare: COMPARISONS.find((each) => each === query.get('compare')) ?? null,
    hours: query.get('hours') === 'business' ? 'business' : null,
    filters: query
      .getAll('where')
      .map(readGroup)
      .filter((group) => group.length > 0),
    chart: CHARTS.find((each) => each === query.get('chart')) ?? null,
    chartField: Number(/^\d{1,3}$/.exec(query.get('of') ?? '')?.[0] ?? 0),
    sort: readSort(query.get('sort')),
    saved: /^[1-9]\d{0,15}$/.exec(query.get('saved') ?? '')?.[0] ?? null,
  };
}

/** Writes a state into the query of an address, without the parts that it does not have. */
export function writeReportState(state: ReportState): URLSearchParams {
  const { period } = state;
  const range = period.kind === 'range';
  const entries: readonly (readonly [name: string, value: string | null])[] = [
    ['show', state.fields.join(',')],
    ['by', state.by],
    ['by_only', state.by === null ? null : joined(state.byValues)],
    ['and', state.and],
    ['and_only', state.and === null ? null : joined(state.andValues)],
    ['per', state.per],
    ['last', range ? null : writeLast(period)],
    ['from', range ? period.from : null],
    ['until', range ? period.until : null],
    ['zone', state.zone],
    ['compare', state.compare],
    ['hours', state.hours],
    ...state.filters.map((group): [string, string] => ['where', writeGroup(group)]),
    ['chart', state.chart],
    ['of', state.chartField === 0 ? null : String(state.chartField)],
    ['sort', state.sort && `${state.sort.column}${state.sort.descending ? '-' : ''}`],
    ['saved', state.saved],
  ];
  const query = new URLSearchParams();
  for (const [name, value] of entries) if (value !== null) query.append(name, value);
  return query;
}

/** The query for the address bar, with commas, colons, square brackets, slashes and dollar signs unescaped. */
export const readable = (query: URLSearchParams): string =>
  query.toString().replace(/%(2C|3A|5B|5D|2F|24)/gi, (sign) => decodeURIComponent(sign));

const list = (text: string | null): string[] => (text === null || text === '' ? [] : text.split(',').map(decodePart));
const joined = (values: readonly string[]): string | null =>
  values.length === 0 ? null : values.map(encodePart).join(',');
const unique = (values: readonly string[]): readonly string[] | undefined =>
  values.length === 0 ? undefined : [...new Set(values)];

/** Escapes the comma between ids and the escape sign itself, since an id may contain them. */
const encodePart = (text: string): string => text.replace(/[~,]/g, (sign) => (sign === ',' ? '~c' : '~t'));
const decodePart = (text: string): string => text.replace(/~([ct])/g, (_, letter) => (letter === 'c' ? ',' : '~'));

/** Writes a group as a JSON list of `[action, object, ids]` or `[action, object, text]`. */
function writeGroup(group: readonly Condition[]): string {
  return JSON.stringify(group.map(({ action, object, ids, text }) => [action, object, text === '' ? ids : text]));
}

function readGroup(text: string): Condition[] {
  let group: unknown;
  try {
    group = JSON.parse(text);
  } catch {
    return [];
  }
  return Array.isArray(group) ? group.flatMap(readCondition) : [];
}

function readCondition(sent: unknown): Condition[] {
  if (!Array.isArray(sent)) return [];
  const [action, object, what]: unknown[] = sent;
  if ((action !== 'Include' && action !== 'Exclude') || typeof object !== 'string') return [];
  if (typeof what === 'string') return [{ action, object, ids: [], text: what }];
  return Array.isArray(what) ? [{ action, object, ids: what.map(String), text: '' }] : [];
}

function readSort(text: string | null): Sort | null {
  const [, column, minus] = /^(\d{1,3})(-?)$/.exec(text ?? '') ?? [];
  return column === undefined ? null : { column: Number(column), descending: minus === '-' };
}
