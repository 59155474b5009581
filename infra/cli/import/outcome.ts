import { formatInstant } from '../../../lib/history/cases/instant.ts';
import type { FindingsSummary } from '../../../lib/import/formats/findings.ts';
import { isSuperseded } from '../../../lib/import/import-notes.ts';
import type { ImportSummary } from '../../../lib/import/import-rows.ts';
import type { LoadTimes } from '../../../lib/import/load.ts';
import type { ImportOrigin } from '../../../lib/import/origin.ts';
import type { ImportResult } from '../../../lib/import/run-import.ts';
import { storyLines } from '../../../lib/import/story.ts';
import { columns } from '../columns.ts';
import type { Outcome } from '../command.ts';
import { elapsed, grouped } from '../progress.ts';

/** The facts about an import besides its result. */
export interface ImportFacts {
  readonly file: string;
  readonly site: string;
  readonly dryRun: boolean;
  readonly origin: ImportOrigin | undefined;
  readonly warnings: readonly string[]; // besides those of the reader
}

const LISTED = 20; // ignored names in a table

/** The command's output about an import, and its exit status. */
export function outcomeOf(result: ImportResult, facts: ImportFacts): Outcome {
  const { summary, rejected, rejectedFiles, rejections, readOtherwise, stories } = result;
  const story = storyLines(stories);
  const { origin, warnings, ...rest } = facts;
  const findings = { ...result.findings, warnings: [...result.findings.warnings, ...warnings] };
  return {
    text: [
      ...story,
      ...tables(summary, findings),
      ...storedLines(result, facts),
      ...rejectedLines(result),
      ...periodLine(summary),
      ...findings.warnings.map((warning) => `Note: ${warning}`),
      speed(summary.events, summary.took),
    ].join('\n'),
    json: {
      ...rest,
      source: origin?.source ?? null,
      sources: origin?.parts?.map(({ source }) => source),
      rejected,
      ...summary,
      known: summary.known.cases,
      period: shownPeriod(summary),
      readOtherwise: readOtherwise > 0 ? readOtherwise : undefined,
      rejections,
      ...findings,
      story: story.length > 0 ? story : undefined,
      rejectedFile: rejectedFiles[0] ?? null,
      rejectedFiles,
    },
    exit: exitOf(result, facts),
  };
}

/** The period of the events that were read. */
function shownPeriod({ period }: ImportSummary): { readonly first: string; readonly last: string } | null {
  return period === undefined ? null : { first: formatInstant(period.first), last: formatInstant(period.last) };
}

function tables({ records }: ImportSummary, { met, ignored }: FindingsSummary): string[] {
  const rows = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).map(([what, count]) => [what, grouped(count)]);
  const left = rows(ignored);
  const more = left.length > LISTED ? [`… and ${grouped(left.length - LISTED)} more (all with --json)`] : [];
  return [
    ...(rows(met).length === 0 ? [] : [columns(['found', 'read'], rows(met))]),
    ...(rows(records).length === 0 ? [] : [columns(['record', 'read'], rows(records))]),
    ...(left.length === 0 ? [] : [columns(['without meaning here', 'ignored'], left.slice(0, LISTED)), ...more]),
  ];
}

function storedLines({ summary, readOtherwise }: ImportResult, facts: ImportFacts): string[] {
  const { added, unchanged, replaced, erased } = summary;
  const { dryRun, origin } = facts;
  const stored = dryRun
    ? `${counted(added, 'event')} would be added, ${grouped(unchanged)} are there already. Nothing was written.`
    : `${counted(added, 'event')} added, ${grouped(unchanged)} were there already.`;
  const anew = `${counted(replaced, 'comment')} ${dryRun ? 'would take' : 'took'} a new reading.`;
  const other = `${counted(readOtherwise, 'event')} with other content than the stored one, which stays.`;
  const leftOut = `${counted(summary.leftOut, 'event')} left out, whose line or case was rejected.`;
  const dropped = `${counted(erased, 'event')} of erased cases ${erased === 1 ? 'was' : 'were'} dropped.`;
  return [
    ...(origin?.replaces ? replacedLines(summary, facts) : [stored]),
    ...(replaced > 0 && !origin?.replaces ? [anew] : []),
    ...(readOtherwise > 0 ? [other] : []),
    ...(summary.leftOut > 0 ? [leftOut] : []),
    ...(erased > 0 ? [dropped] : []),
  ];
}

const DAY = 10; // characters of a date

/** In which period the reports have the events. */
function periodLine(summary: ImportSummary): string[] {
  const period = shownPeriod(summary);
  return period === null
    ? []
    : [`The history in the file runs from ${period.first.slice(0, DAY)} to ${period.last.slice(0, DAY)}.`];
}

const SHOWN_FATES = ['added', 'replaced', 'unchanged', 'superseded'] as const;

function replacedLines(summary: ImportSummary, { dryRun, origin }: ImportFacts): string[] {
  const { fates, removed, completed, known, missing } = summary;
  const rows = Object.entries(fates).map(([type, counts]) => [
    type,
    ...SHOWN_FATES.map((fate) => grouped(counts[fate])),
  ]);
  const left =
    origin?.isComplete && !completed
      ? ['Cases that are not in the file stay, because a line was rejected or the file has no cases.']
      : [];
  const lacks =
    missing === undefined
      ? ''
      : `, and ${counted(missing.cases, 'case')} with ${counted(missing.events, 'event')} that the file does not have`;
  return [
    origin?.parts === undefined
      ? `Source ${origin?.source ?? ''}:`
      : `Sources ${origin.parts.map(({ source }) => source).join(', ')}:`,
    columns(['event', ...SHOWN_FATES], rows, [false, true, true, true, true]),
    ...(known.cases > 0 ? [`${counted(known.cases, 'case')} had the same rows as in the last import.`] : []),
    dryRun
      ? `Would remove ${counted(removed, 'event')} that the source had before${lacks}. Nothing was written.`
      : `Removed ${counted(removed, 'event')} that the source had before.`,
    ...left,
  ];
}

/** 1 if lines were rejected, or cases missing in a complete file were not removed; an older file changes nothing, and rightly. */
const exitOf = ({ summary, rejected }: ImportResult, { dryRun, origin }: ImportFacts): 0 | 1 =>
  rejected > 0 || (origin?.isComplete && !dryRun && !summary.completed && !isSuperseded(summary)) ? 1 : 0;

function rejectedLines({ rejected, rejectedFiles, rejections }: ImportResult): string[] {
  if (rejected === 0) return [];
  const where = rejectedFiles.length === 0 ? '' : `, written to ${rejectedFiles.join(', ')}`;
  const reasons = rejections.map(({ reason, count, first }) => [grouped(count), reason, first[0] ?? '']);
  const listed = rejections.some(({ count }) => count > 1) ? [columns(['times', 'reason', 'first at'], reasons)] : [];
  return [`${counted(rejected, 'line')} rejected${where}.`, ...listed];
}

const TENTHS_BELOW = 10; // s
const SECONDS_BELOW = 3600;

/**
 * `12 s, 52,000 events a second: reading 4 s, storing 6 s, folding 2 s.` The parts add up as printed: each is rounded as
 * the growth of the sum.
 */
export function speed(events: number, took: LoadTimes): string {
  const seconds = Object.values(took).reduce((sum, each) => sum + each, 0) / 1000;
  const unit = seconds < TENTHS_BELOW ? 0.1 : seconds < SECONDS_BELOW ? 1 : 60;
  const timeText = (units: number): string => (unit < 1 ? `${(units * unit).toFixed(1)} s` : elapsed(units * unit));
  let [sum, shown] = [0, 0];
  const parts = Object.entries(took).map(([part, ms]) => {
    const before = shown;
    sum += ms / 1000;
    shown = Math.round(sum / unit);
    return `${part} ${timeText(shown - before)}`;
  });
  const rate = seconds > 0 ? `, ${grouped(Math.round(events / seconds))} events a second` : '';
  return `${timeText(shown)}${rate}: ${parts.join(', ')}.`;
}

export const counted = (count: number, what: string): string => `${grouped(count)} ${what}${count === 1 ? '' : 's'}`;
