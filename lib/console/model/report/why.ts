import type { Format } from '../format.ts';
import { CLOCK, type Names } from '../names.ts';
import { text } from '../text/text.ts';
import { type Cell, cellState, windowPeriod } from './cell.ts';
import { createWindowBefore, type Member, type Report } from './report.ts';
import { requestOf, spanOf } from './report-request.ts';
import type { Condition, ReportState } from './report-state.ts';

/** A number with a change: a cell of a report that is compared. */
export interface ChangedNumber {
  readonly state: ReportState;
  readonly report: Report;
  readonly cell: Cell;
}

/** The question why a number moved: its report without dimensions, and the request. */
interface Question {
  readonly state: ReportState;
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
  const compare = comparedRange(report, cell, state.zone ?? siteZone ?? 'UTC');
  if (compare === undefined) return undefined;
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
  return { state: asked, body: whyRequest({ ...requestOf(asked, siteZone) }, compare) };
}

/** The range that a cell is compared with; undefined without one. */
function comparedRange(report: Report, { row: { window } }: Cell, zone: string) {
  const { before, size } = report;
  if (before === undefined || window === null) return before;
  const start = createWindowBefore(report)(window);
  if (start === undefined) return undefined;
  const { min, max } = spanOf(windowPeriod({ size, min: before.min, max: before.max }, start), zone);
  return { min, max };
}

/** What one member adds to a change, for people. */
interface WhyLine {
  readonly id: Member;
  readonly name: string;
  readonly numbers: string; // `−9 (12 → 3)`
  readonly adds: number;
  readonly size: number; // 0 … 1 of the largest in its dimension
}

interface WhyPart {
  readonly dimension: string;
  readonly overlaps: boolean;
  readonly lines: readonly WhyLine[];
}

const FIRST_LINES = 2; // of mails and alerts
const MOST_PARTS = 4; // dimensions
const MOST_LINES = 4; // members of each

/** The dimensions of which few members explain most of a change, with those members. */
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
        .filter(({ adds }) => adds !== 0)
        .slice(0, MOST_LINES);
      const largest = Math.max(...sized.map(({ adds }) => Math.abs(adds)));
      const lines = sized.map((member): WhyLine => {
        const { id, adds } = member;
        const [from, to] = [format.value(member.before, unit), format.value(member.now, unit)];
        const name = id === null ? text.why.none(names.label(dimension)) : names.of(dimension, id);
        return { id, name, adds, numbers: text.why.numbers(signed(adds), from, to), size: Math.abs(adds) / largest };
      });
      return { dimension, overlaps, lines };
    })
    .filter(({ lines }) => lines.length > 0)
    .slice(0, MOST_PARTS);
}

const isInBoth = ({ now, before }: ChangedMember): boolean => Boolean(now) && Boolean(before);

/**
 * The first lines of why a number moved, as mails and alerts say it: `Email −15 (30 → 15)`. Members of different
 * dimensions come first, and those that have a name and went the way of the number.
 */
export function whyLines(reply: ChangesReply, unit: string, names: Names, format: Format): string[] {
  const change = (reply.now.value ?? 0) - (reply.before.value ?? 0);
  const tells = ({ id, adds }: WhyLine): boolean => id !== null && adds * change > 0;
  const all = whyParts(reply, unit, names, format).map(({ lines }) => lines);
  const telling = all.map((lines) => lines.filter(tells));
  const lines = [...telling.flatMap(([first]) => first ?? []), ...telling.flat(), ...all.flat()];
  return [...new Set(lines.map(({ name, numbers }) => `${name} ${numbers}`))].slice(0, FIRST_LINES);
}

/** What a member adds to a change; of a percentile what would be missing of the change without it. */
const addsOf = ({ contribution, without }: ChangedMember, change: number): number =>
  contribution ?? (typeof without === 'number' ? change - without : 0);
