import type { Definitions } from '../definitions.ts';
import { canStack, findField } from '../fields.ts';
import { type Period, suitingWindow } from '../period.ts';
import type { Report, Side } from '../report/report.ts';
import { conditions, periodOf, stateOf } from '../report/report-open.ts';
import type { Chart } from '../report/report-state.ts';
import { type Condition, type ReportState, USUAL_REPORT } from '../report/report-state.ts';
import { chartOf } from '../report/shape.ts';

/** The ways in which a tile shows its report. */
export const SHOWN_AS = ['number', 'line', 'bars', 'stacked', 'heat', 'table'] as const;
type ShownAs = (typeof SHOWN_AS)[number];

/** What the first field of a tile is to reach: at least or at most so much. */
export interface Goal {
  readonly value: number; // in the field's unit
  readonly better: 'above' | 'below';
}

/** A tile as the API keeps it: a report, a heading or a text. */
export interface BoardTile {
  readonly saved_report?: number | undefined;
  readonly heading?: string | undefined;
  readonly text?: string | undefined;
  readonly shown_as?: ShownAs | undefined; // of a report
  readonly width: 1 | 2;
  readonly pinned?: boolean | undefined;
  readonly goal?: Goal | null | undefined;
}

/** A board as the API shows it. */
export interface Board {
  readonly id: number;
  readonly name: string;
  readonly tiles: readonly BoardTile[];
  readonly time: unknown; // of a report; null for each tile's own
  readonly filters: unknown;
  readonly updated_at: string;
}

/** The period and the filters of a whole board; a null period leaves each tile its own. */
export interface BoardScope {
  readonly period: Period | null;
  readonly zone: string | null;
  readonly filters: readonly (readonly Condition[])[];
}

/** A tile to show: its report as the board asks for it. */
export interface ShownTile {
  readonly key: string;
  readonly title: string | undefined; // undefined: the names of its fields
  readonly shownAs: ShownAs;
  readonly wide: boolean;
  readonly state: ReportState;
  readonly goal?: Goal | undefined;
}

/** A heading or a text of a board. */
export interface ShownWords {
  readonly key: string;
  readonly kind: 'heading' | 'text';
  readonly words: string;
  readonly wide: boolean;
}

/** What stands on a board; undefined for a tile whose report was deleted. */
export type BoardPart = ShownTile | ShownWords | undefined;

export const isWords = (part: BoardPart): part is ShownWords => part !== undefined && 'words' in part;

/** The tiles of a board that have numbers. */
export const numberedTiles = (parts: readonly BoardPart[]): ShownTile[] =>
  parts.flatMap((part) => (part === undefined || isWords(part) ? [] : [part]));

/** What a tile is made of: a saved report, or one of the reports that ship. */
interface TileSource {
  readonly title: string | undefined;
  readonly state: ReportState;
  readonly shownAs: ShownAs;
  readonly wide: boolean;
  readonly pinned: boolean;
  readonly goal?: Goal | undefined;
}

/** How a report is shown on a board at first: as on its own page. */
export function wayOf(request: unknown, definitions: Definitions | undefined): ShownAs {
  const { fields, by, and, per } = stateOf(request);
  const dimensions = [by, and].filter((each) => each !== null).length;
  const adds = canStack(definitions, fields[0] ?? '');
  return chartOf({ windows: per !== 'none', dimensions, adds }, null) ?? (fields.length === 1 ? 'number' : 'table');
}

/** The scope that a board was saved with. */
export function scopeOf({ time, filters }: Pick<Board, 'time' | 'filters'>): BoardScope {
  const zone = typeof time === 'object' && time !== null && 'time_zone' in time ? time.time_zone : null;
  return {
    period: time === null ? null : periodOf({ ...Object(time) }),
    zone: typeof zone === 'string' ? zone : null,
    filters: (Array.isArray(filters) ? filters : []).map(conditions),
  };
}

/** What can be shown of a board. */
export function shownTiles(
  tiles: readonly BoardTile[],
  reports: ReadonlyMap<number, { readonly name: string; readonly request: unknown }>,
  scope: BoardScope,
): BoardPart[] {
  return tiles.map(({ saved_report = 0, heading, text, shown_as = 'table', width, pinned = false, goal }, index) => {
    const wide = width === 2;
    const words = heading ?? text;
    if (words !== undefined)
      return { key: String(index), kind: heading === undefined ? 'text' : 'heading', words, wide };
    const report = reports.get(saved_report);
    if (report === undefined) return undefined;
    const state = stateOf(report.request);
    const source = { title: report.name, state, shownAs: shown_as, wide, pinned, goal: goal ?? undefined };
    return shownTile(source, index, scope);
  });
}

function shownTile(source: TileSource, index: number, scope: BoardScope): ShownTile {
  const { title, state, shownAs, wide, pinned, goal } = source;
  const scoped = pinned ? state : scopedState(state, scope);
  const chart = chartNamed(shownAs);
  return {
    key: String(index),
    title,
    shownAs,
    wide,
    ...(goal && { goal }),
    state: shownAs === 'number' ? numberState(scoped) : { ...scoped, ...(chart && { chart }) },
  };
}

const chartNamed = (shownAs: ShownAs): Chart | undefined =>
  shownAs === 'number' || shownAs === 'table' ? undefined : shownAs;

/** A report in the period and under the filters of a board. */
export function scopedState(state: ReportState, { period, zone, filters }: BoardScope): ReportState {
  return {
    ...state,
    filters: bothFilters(state.filters, filters),
    ...(period !== null && { period, zone, per: state.per === 'none' ? state.per : suitingWindow(period) }),
  };
}

/** Groups that hold where one group of each side holds; a side without groups holds always. */
function bothFilters(one: ReportState['filters'], other: ReportState['filters']): ReportState['filters'] {
  if (one.length === 0) return other;
  return other.length === 0 ? one : one.flatMap((group) => other.map((more) => [...group, ...more]));
}

/** The request of a number: small windows for its line, and the period before for its change. */
function numberState(state: ReportState): ReportState {
  const whole = { by: null, byValues: [], and: null, andValues: [] };
  return {
    ...state,
    per: suitingWindow(state.period),
    compare: 'previous_period',
    chart: null,
    chartField: 0,
    sort: null,
    ...(state.byValues.length + state.andValues.length === 0 ? whole : {}),
  };
}

/** A request for one tile or several. */
interface BoardRequest {
  readonly state: ReportState;
  readonly isFirst: boolean; // has numbers, which are shown first
}

/** The requests of a board's tiles in the order in which they are sent, and which of them each tile is shown from. */
export interface BoardPlan {
  readonly requests: readonly BoardRequest[];
  readonly of: readonly number[]; // by tile: index in `requests`
}

/**
 * Plans the requests of tiles. Numbers, and curves over the same windows, are asked for together, but apart from those
 * that take long. Other tiles have a request each.
 */
export function planBoard(tiles: readonly ShownTile[], definitions: Definitions | undefined): BoardPlan {
  const groups = new Map<string, { state: ReportState; isFirst: boolean; tiles: number[] }>();
  for (const [index, { state, shownAs }] of tiles.entries()) {
    const isWhole = state.by === null && state.per !== 'none';
    const { fields, compare, chart, chartField, sort, ...shared } = state;
    const slow = fields.some((field) => isSlow(field, definitions));
    const key = isWhole ? JSON.stringify([shared, slow]) : `tile ${index}`;
    const group = groups.get(key) ?? { state, isFirst: false, tiles: [] };
    groups.set(key, {
      state: {
        ...group.state,
        fields: [...new Set([...group.state.fields, ...fields])],
        compare: group.state.compare ?? compare,
      },
      isFirst: group.isFirst || shownAs === 'number',
      tiles: [...group.tiles, index],
    });
  }
  const ordered = [...groups.values()].sort((a, b) => Number(b.isFirst) - Number(a.isFirst));
  return {
    requests: ordered.map(({ state, isFirst }) => ({ state, isFirst })),
    of: tiles.map((_, index) => ordered.findIndex((group) => group.tiles.includes(index))),
  };
}

/** Whether a report has the board's own period: none has where the board has none, a pinned one has another. */
export const isInScope = (state: ReportState, { period, zone }: BoardScope): boolean =>
  JSON.stringify([state.period, state.zone]) === JSON.stringify([period, zone]);

/** The reports whose dates a board tells on top: those of its own period; all where it has none. */
export const headReports = (
  { requests }: BoardPlan,
  scope: BoardScope,
  answers: readonly { readonly data: Report | undefined }[],
): Report[] =>
  requests.flatMap(({ state }, index) =>
    scope.period === null || isInScope(state, scope) ? (answers[index]?.data ?? []) : [],
  );

/** Whether a field takes longer than counts do: durations and promises. */
const isSlow = (name: string, definitions: Definitions | undefined): boolean => {
  const field = definitions && findField(definitions, name);
  return field?.group === 'SLA' || field?.unit === 'seconds';
};

/** The part of an answer that a tile's own request would have: its fields, and the period before if it compares. */
export function partOf(report: Report, { fields, compare }: Pick<ReportState, 'fields' | 'compare'>): Report {
  const indexes = fields.map((field) => report.fields.indexOf(field));
  const pick = <R extends Report['rows'][number]>(row: R): R => ({
    ...row,
    values: indexes.map((index) => row.values[index] ?? null),
    ...(row.chance && { chance: indexes.map((index) => row.chance?.[index] ?? null) }),
  });
  const side = <S extends Side>({ min, max, until, begins, rows, totals }: S) => ({
    min,
    max,
    until,
    begins,
    rows: rows.map(pick),
    totals: totals && { members: totals.members.map(pick), windows: totals.windows.map(pick), all: pick(totals.all) },
  });
  return {
    ...report,
    ...side(report),
    fields,
    before: compare === null || report.before === undefined ? undefined : side(report.before),
  };
}

/** How a part of a board is laid out: numbers side by side, cards in two columns, a heading across. */
type Layout = 'number' | 'heading' | 'card';

export const layoutOf = (part: BoardPart): Layout => {
  if (isWords(part)) return part.kind === 'heading' ? 'heading' : 'card';
  return part?.shownAs === 'number' ? 'number' : 'card';
};

/** Neighbours that are laid out alike, by their indexes. */
export function sectionsOf(layouts: readonly Layout[]): number[][] {
  const sections: number[][] = [];
  for (const [index, layout] of layouts.entries()) {
    const last = sections.at(-1);
    if (last && layout === layouts[index - 1]) last.push(index);
    else sections.push([index]);
  }
  return sections;
}

/** A copy of a list in which one entry has another place. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const entry = list[from];
  if (entry === undefined || from === to) return list;
  const others = list.filter((_, index) => index !== from);
  return [...others.slice(0, to), entry, ...others.slice(to)];
}

/** A report of the overview, which is a board that ships. */
export interface ShippedTile {
  readonly title?: 'course' | 'channels' | 'hours' | 'agents'; // in the texts; otherwise the field's name
  readonly shownAs: ShownAs;
  readonly wide: boolean;
  readonly state: ReportState;
}

const shipped = (
  part: Partial<ReportState>,
  shownAs: ShownAs,
  more: { readonly title?: ShippedTile['title']; readonly wide?: boolean } = {},
): ShippedTile => ({
  ...(more.title && { title: more.title }),
  shownAs,
  wide: more.wide ?? false,
  state: { ...USUAL_REPORT, per: 'none', ...part },
});

const NUMBERS = [
  ...['case_creates', 'resolved_cases', 'open_cases', 'time_to_first_response:p50', 'time_to_resolution:p50'],
  ...['case_reopen_rate', 'csat_positive_rate', 'sla_first_response_rate'],
];

/** The overview: numbers with their changes and curves, channels, agents, and when cases come in. */
export const OVERVIEW: readonly ShippedTile[] = [
  ...NUMBERS.map((field) => shipped({ fields: [field] }, 'number')),
  shipped({ fields: ['case_creates', 'resolved_cases'], per: 'day' }, 'line', { title: 'course', wide: true }),
  shipped({ fields: ['case_creates'], by: 'channel', compare: 'previous_period' }, 'bars', { title: 'channels' }),
  shipped({ fields: ['case_creates'], by: 'weekday', and: 'hour_of_day' }, 'heat', { title: 'hours' }),
  shipped(
    {
      fields: [
        ...['resolved_cases', 'outbound_interactions', 'time_to_first_response', 'avg_handle_time'],
        'reopened_resolve_rate',
      ],
      by: 'action_agent',
      sort: { column: 1, descending: true },
    },
    'table',
    { title: 'agents', wide: true },
  ),
];

/** The tiles of the overview in a scope. `titles` are those of the texts. */
export const overviewTiles = (
  scope: BoardScope,
  titles: Readonly<Record<NonNullable<ShippedTile['title']>, string>>,
): ShownTile[] =>
  OVERVIEW.map(({ title, ...tile }, index) =>
    shownTile({ ...tile, title: title && titles[title], pinned: false }, index, scope),
  );

/** Whether all answers to requests of the same period have the same range: a new day may have begun between them. */
export function haveOneRange(
  bodies: readonly { readonly time: Readonly<Record<string, unknown>> }[],
  answers: readonly { readonly data: Pick<Report, 'min' | 'max'> | undefined }[],
): boolean {
  const ranges = new Map<string, string>();
  return bodies.every(({ time: { window_size, compare, ...span } }, index) => {
    const data = answers[index]?.data;
    if (data === undefined) return true;
    const range = `${data.min} ${data.max}`;
    const key = JSON.stringify(span);
    if (!ranges.has(key)) ranges.set(key, range);
    return ranges.get(key) === range;
  });
}
