import type { Format } from '../format.ts';
import { CLOCK, type Names } from '../names.ts';
import { whole } from '../period.ts';
import { text } from '../text/text.ts';
import { zonedText } from '../zone.ts';
import { type Cell, cellState, windowPeriod } from './cell.ts';
import { type ByChance, createWindowBefore, type Member, type Range, type Ranges, type Report } from './report.ts';
import { requestOf } from './report-request.ts';
import type { Condition, ReportState } from './report-state.ts';

/** A number with a change: a cell of a report that is compared. */
export interface ChangedNumber {
  readonly state: ReportState;
  readonly report: Report;
  readonly cell: Cell;
}

/** The question why a number moved: its report without dimensions, what it compares, and the request. */
interface Question {
  readonly state: ReportState;
  readonly ranges: Ranges;
  readonly body: object;
}

/** The request for why the number of a report moved against another range: a report without dimensions and windows. */
export function whyRequest(
  {
    time,
    dimension1: _1,
    dimension1_values: _2,
    dimension2: _3,
    dimension2_values: _4,
    totals: _5,
    ...whole
  }: Readonly<Record<string, unknown>>,
  compare: { readonly min: unknown; readonly max: unknown },
): object {
  const { min, max } = compare;
  return { ...whole, time: { ...Object(time), window_size: 'none', compare: { min, max } } };
}

/** A member in the reply of `POST /api/v2/insights3/changes`. */
interface ChangedMember {
  readonly id: Member;
  readonly now: number | null;
  readonly before: number | null;
  readonly contribution: number | null; // null of a percentile
  readonly without?: number | null | undefined; // of a percentile: the change without that of the member
}

/** The reply, as far as it is shown. */
export interface ChangesReply {
  readonly now: { readonly value: number | null };
  readonly before: { readonly value: number | null };
  readonly dimensions: readonly {
    readonly dimension: string;
    readonly told: boolean;
    readonly sentence?: string | undefined; // why it is not told
    readonly overlaps?: boolean | undefined;
    readonly members: readonly ChangedMember[];
  }[];
}

/**
 * The question why the number in a cell moved, about just the ranges that its report shows; of a window, about it and the
 * one that it is compared with. A member of the cell becomes a filter. Undefined without a comparison, and for members
 * that no filter has.
 */
export function questionOf(
  { state, report, cell }: ChangedNumber,
  names: Names,
  siteZone: string | undefined,
): Question | undefined {
  const ranges = rangesOf(report, cell);
  if (ranges?.before === undefined) return undefined;
  const zoned = (local: string): string => zonedText(local, state.zone ?? siteZone ?? 'UTC');
  const { min, max } = ranges.before;
  const compare = ranges === report ? { min, max } : { min: zoned(min), max: zoned(max) };
  const { by, byValues, and, andValues, ...alone } = cellState(state, report, cell);
  const members = [
    ...(by === null ? [] : [{ object: names.objectOf(by), ids: byValues }]),
    ...(and === null ? [] : [{ object: names.objectOf(and), ids: andValues }]),
  ];
  const conditions = members.flatMap(({ object, ids }): Condition[] =>
    object === undefined ? [] : [{ action: 'Include', object, ids, text: '' }],
  );
  if (conditions.length < members.length) return undefined;
  const groups = alone.filters.length === 0 && conditions.length > 0 ? [[]] : alone.filters;
  const filters = groups.map((group) => [...group, ...conditions]);
  const asked = { ...alone, filters, by: null, byValues: [], and: null, andValues: [] };
  return { state: asked, ranges, body: whyRequest({ ...requestOf(asked, siteZone) }, compare) };
}

/** The ranges that a cell counts and is compared with: those of its report, or of a window, in local times. */
function rangesOf(report: Report, { row: { window } }: Cell): Ranges | undefined {
  const { before, size } = report;
  if (before === undefined || window === null) return report;
  const start = createWindowBefore(report)(window);
  return start === undefined
    ? undefined
    : { ...windowRange(size, report, window), before: windowRange(size, before, start) };
}

function windowRange(size: Report['size'], { min, max, until }: Range, start: string): Range {
  const period = windowPeriod({ size, min, max }, start);
  const end = whole(period.until);
  return { min: whole(period.from), max: end, until: until < end ? until : end };
}

/** What one member adds to a change, for people. */
interface WhyLine {
  readonly id: Member;
  readonly name: string;
  readonly numbers: string; // `−9 (12 → 3)`
  readonly adds: number;
  readonly size: number; // 0 … 1 of the largest in its dimension
}

export interface WhyPart {
  readonly dimension: string;
  readonly overlaps: boolean;
  readonly lines: readonly WhyLine[];
}

const FIRST_LINES = 2; // of mails and alerts

/** The dimensions that explain something of a change, with their members: those first of which few explain most. */
export function whyParts(
  { now, before, dimensions }: ChangesReply,
  unit: string,
  names: Names,
  format: Format,
): WhyPart[] {
  const change = (now.value ?? 0) - (before.value ?? 0);
  const signed = (value: number): string => {
    if (unit !== 'seconds') return format.signed(value).replace('-', '−');
    return `${value < 0 ? '−' : '+'}${format.value(Math.abs(value), unit)}`;
  };
  return dimensions
    .filter(({ members }) => members.length > 1) // one that has all explains nothing
    .filter(({ dimension, members }) => !CLOCK.includes(names.written(dimension)) || members.some(isInBoth)) // nor do other days
    .map(({ dimension, overlaps = false, members }): WhyPart => {
      const sized = members
        .map((member) => ({ ...member, adds: addsOf(member, change) }))
        .filter(({ adds }) => adds !== 0);
      const largest = Math.max(...sized.map(({ adds }) => Math.abs(adds)));
      const lines = sized.map((member): WhyLine => {
        const { id, adds } = member;
        const [from, to] = [format.value(member.before, unit), format.value(member.now, unit)];
        const name = id === null ? text.why.none : names.of(dimension, id);
        return { id, name, adds, numbers: text.why.numbers(signed(adds), from, to), size: Math.abs(adds) / largest };
      });
      return { dimension, overlaps, lines };
    })
    .filter(({ lines }) => lines.length > 0);
}

const isInBoth = ({ now, before }: ChangedMember): boolean => Boolean(now) && Boolean(before);

/**
 * The first lines of why a number moved, as mails and alerts say it: `Email −15 (30 → 15)`. Members of different
 * dimensions come first, and those that have a name and went the way of the number.
 */
export function whyLines(reply: ChangesReply, unit: string, names: Names, format: Format): string[] {
  const change = (reply.now.value ?? 0) - (reply.before.value ?? 0);
  const tells = ({ id, adds }: WhyLine): boolean => id !== null && adds * change > 0;
  const all = whyParts(reply, unit, names, format).map(({ dimension, lines }) =>
    lines.map((line) => (line.id === null ? { ...line, name: `${names.label(dimension)}: ${line.name}` } : line)),
  );
  const telling = all.map((lines) => lines.filter(tells));
  const lines = [...telling.flatMap(([first]) => first ?? []), ...telling.flat(), ...all.flat()];
  return [...new Set(lines.map(({ name, numbers }) => `${name} ${numbers}`))].slice(0, FIRST_LINES);
}

/**
 * In words what a number did: its direction and by how much, or that it is about the same, as chance alone would give
 * such a change.
 */
export function movedText(
  { now, before }: Pick<ChangesReply, 'now' | 'before'>,
  byChance: ByChance | undefined,
  unit: string,
  format: Format,
): string {
  const [value, earlier] = [now.value ?? 0, before.value ?? 0];
  const size = Math.abs(value - earlier);
  const by = unit === 'percent' ? text.overview.points(format.value(size, '')) : format.value(size, unit);
  const ends = text.why.ends(format.value(before.value, unit), format.value(now.value, unit));
  const moved = value > earlier ? text.why.up(by) : text.why.down(by);
  return byChance === true ? text.why.same(moved, ends) : `${moved}, ${ends}.`;
}

/** The dimensions that explain nothing, with why each means nothing, where it does not. */
export const silentDimensions = (
  { dimensions }: ChangesReply,
  parts: readonly Pick<WhyPart, 'dimension'>[],
): readonly { readonly dimension: string; readonly sentence?: string | undefined }[] =>
  dimensions.filter(({ dimension }) => !parts.some((part) => part.dimension === dimension));

/** What a member adds to a change; of a percentile what would be missing of the change without it. */
const addsOf = ({ contribution, without }: ChangedMember, change: number): number =>
  contribution ?? (typeof without === 'number' ? change - without : 0);
