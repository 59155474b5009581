import type { Definitions } from '../definitions.ts';
import { unitOf } from '../fields.ts';
import type { Format } from '../format.ts';
import { nextWindow, type WindowSize } from '../period.ts';
import type { Report, Row } from '../report/report.ts';
import { boardText } from '../text/board-text.ts';
import type { Goal } from './board.ts';

/** Of how many numbers a goal is kept. */
export interface Judged {
  readonly kept: number;
  readonly of: number; // numbers that there are; windows that still run are not judged
}

/** Whether a number keeps a goal; one that is just reached is kept. */
const keeps = (value: number, { value: wanted, better }: Goal): boolean =>
  better === 'above' ? value >= wanted : value <= wanted;

/** Judges the first field of a report: `isWhole` its one number over all, else each of its rows. */
export function judge(report: Report, goal: Goal, isWhole: boolean): Judged {
  const { totals, rows, size } = report;
  const isOne = isWhole || (size === 'none' && report.dimensions.length === 0);
  const judged: readonly Row[] = isOne
    ? totals
      ? [totals.all]
      : rows
    : rows.filter(({ window }) => window === null || isOver(window, size, report.until));
  const values = judged.flatMap(({ values: [value] }) => (value == null ? [] : [value]));
  return { kept: values.filter((value) => keeps(value, goal)).length, of: values.length };
}

const isOver = (window: string, size: WindowSize, until: string): boolean =>
  size === 'none' || nextWindow(window.replace(' ', 'T'), size) <= until;

/** A goal, and whether it is kept, in words. */
export function goalText(
  report: Report,
  goal: Goal,
  isWhole: boolean,
  { definitions, format }: { readonly definitions: Definitions | undefined; readonly format: Format },
): string {
  const wanted = format.value(goal.value, unitOf(definitions, report.fields[0] ?? ''));
  const { kept, of } = judge(report, goal, isWhole);
  return boardText.goal.of(goal.better, wanted, boardText.goal.verdict(kept, of));
}
