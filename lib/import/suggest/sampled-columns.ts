import { type DurationUnit, durationSeconds } from '../formats/durations.ts';
import type { CsvSample } from '../sniff.ts';
import { type FoundFormat, findTimeFormat } from './time-formats.ts';

/** A column and its cells in the first rows. */
export interface SampledColumn {
  readonly name: string;
  readonly filled: readonly string[]; // cells that are neither empty nor stand for nothing
  readonly values: ReadonlySet<string>; // distinct texts in `filled`
  readonly nothing: ReadonlySet<string>; // texts that stand for an empty cell, such as `n/a`
  readonly time: FoundFormat | undefined;
  readonly duration: DurationUnit | undefined;
}

/** Texts that people and programs write for an empty value. */
const NOTHING = /^(-+|\?+|n\/a|\(?(none|null|nil|empty|blank)\)?)$/i;
const NOBODY = /^(\(?(unassigned|not assigned|nobody)\)?|no[ _](agent|assignee|owner|group|team|queue|company))$/i;
const IS_MEMBER = /agent|assign|owner|group|team|queue|company|organi[sz]ation/i;
const IS_TIME = /time|date|_at$|^at$|stamp|creat|updat|clos|resolv|sent|receiv|perform|when/i;

/** Returns the columns of a sample. */
export function columnsOf({ header, rows }: CsvSample): SampledColumn[] {
  return header.map((name, index) => {
    const isNothing = (cell: string) => NOTHING.test(cell) || (IS_MEMBER.test(name) && NOBODY.test(cell));
    const cells = rows.map((row) => row[index] ?? '').filter((cell) => cell !== '');
    const filled = cells.filter((cell) => !isNothing(cell));
    return {
      ...{ name, filled, values: new Set(filled), nothing: new Set(cells.filter(isNothing)) },
      time: findTimeFormat(filled, IS_TIME.test(name)),
      duration: unitOf(name, filled),
    };
  });
}

/**
 * Units of durations and the column names for each. First the units that the texts show, then those that only names
 * show.
 */
const UNITS: readonly (readonly [unit: DurationUnit, name: RegExp])[] = [
  ['clock', /time|duration/i],
  ['words', /time|duration/i],
  ['seconds', /\b(sec|secs|seconds)\b/i],
  ['minutes', /\b(min|mins|minutes)\b/i],
  ['hours', /\b(hr|hrs|hours)\b/i],
  ['days', /\bdays\b/i],
];

/** Returns the unit of a column whose texts are all durations; undefined if they are not. */
function unitOf(column: string, texts: readonly string[]): DurationUnit | undefined {
  if (texts.length === 0) return undefined;
  return UNITS.find(
    ([unit, name]) => name.test(column) && texts.every((text) => durationSeconds(text, unit) !== undefined),
  )?.[0];
}
