import { MONTH_NAMES } from '../language/time-parts.ts';
import { mentionsRole, namesRole } from '../language/words.ts';
import type { DateOrder } from '../language/written-time.ts';
import type { WrittenMapping } from '../mapping/mapping.ts';
import type { Asker } from './asker.ts';
import { type FileColumn, isZone } from './columns.ts';
import type { FileRole, Question } from './proposal.ts';
import type { ProposalDraft } from './proposal-draft.ts';

/** What a file says about the order of day and month. */
export interface OrderFinding {
  readonly order: DateOrder;
  readonly state: 'proven' | 'open' | 'unneeded'; // unneeded: no date could be read in two ways
  readonly example?: string;
}

const ENDS: readonly FileRole[] = ['solved', 'closed', 'replied', 'updated'];

/**
 * Finds the one order of day and month of a file: a single 13th of anything decides, then dots, then the order under
 * which ends lie after creations.
 */
export function findOrder(columns: readonly FileColumn[], rows: number): OrderFinding {
  const votes = { day: 0, month: 0, dotted: 0, either: 0 };
  for (const { times } of columns) {
    if (times === undefined) continue;
    votes.day += times.pairs.day;
    votes.month += times.pairs.month;
    votes.dotted += times.pairs.dotted;
    votes.either += times.pairs.either;
  }
  const example = columns.flatMap((column) => exampleOf(column, rows))[0];
  const shown = example === undefined ? {} : { example };
  if (votes.day > 0 && votes.month > 0)
    return { order: votes.day >= votes.month ? 'day' : 'month', state: 'open', ...shown };
  if (votes.day > 0) return { order: 'day', state: 'proven' };
  if (votes.month > 0) return { order: 'month', state: 'proven' };
  if (votes.dotted > 0) return { order: 'day', state: 'proven' };
  if (votes.either === 0) return { order: 'day', state: 'unneeded' };
  const wrong = { day: 0, month: 0 };
  const spread = { day: 0, month: 0 };
  const created = columns.find((column) => column.times && namesRole(column, 'created'));
  for (const end of columns) {
    if (created === undefined || !end.times || end.isDue || !namesRole(end, ...ENDS)) continue;
    for (let row = 0; row < rows; row += 1) {
      for (const order of ['day', 'month'] as const) {
        const distance = end.times.at(row, order) - (created.times?.at(row, order) ?? Number.NaN);
        if (distance < 0) wrong[order] += 1;
        if (distance > 0) spread[order] += distance;
      }
    }
  }
  if (wrong.day >= 2 && wrong.month === 0) return { order: 'month', state: 'proven' };
  if (wrong.month >= 2 && wrong.day === 0) return { order: 'day', state: 'proven' };
  const likely = wrong.day === wrong.month ? spread.month < spread.day : wrong.month < wrong.day;
  return { order: likely ? 'month' : 'day', state: 'open', ...shown };
}

function exampleOf(column: FileColumn, rows: number): string[] {
  if (!column.times || column.times.pairs.either === 0) return [];
  for (let row = 0; row < rows; row += 1) {
    if (column.times.at(row, 'day') !== column.times.at(row, 'month') && !Number.isNaN(column.times.at(row, 'day')))
      return [column.cell(row)];
  }
  return [];
}

/** Asks for the order if no cell proves it; undefined while it is open. */
export function askOrder({ order, example }: OrderFinding, asker: Asker): DateOrder | undefined {
  // Without an example no date reads both ways, but some have a day first, and others a month.
  const as = (one: DateOrder): string => (example === undefined ? '' : `: ${readAs(example, one)}`);
  const answer = asker.ask({
    id: 'date_order',
    about: 'date_order',
    text: `Which stands first in ${example === undefined ? 'the dates' : `"${example}"`}, the day or the month?`,
    choices: [
      { answer: 'day', text: `the day${as('day')}` },
      { answer: 'month', text: `the month${as('month')}` },
    ],
    proposed: order,
  });
  return answer === 'day' || answer === 'month' ? answer : undefined;
}

function readAs(text: string, order: DateOrder): string {
  const [, first, second] = /(\d{1,2})\D+(\d{1,2})/.exec(text) ?? [];
  const [day, month] = order === 'day' ? [first, second] : [second, first];
  const name = MONTH_NAMES[Number(month) - 1]?.[0];
  return `${Number(day)} ${name === undefined ? month : name.charAt(0).toUpperCase() + name.slice(1)}`;
}

const MANY_TIMES = 8; // from which on it is no chance that all lie before noon

/**
 * Whether times are of a clock of 12 hours that lost AM and PM: no hour is above 12, and the first
 * and the last ones are there. A person may say that they are not; undefined while it is open.
 */
export function areHalvesLost({ columns, asker }: ProposalDraft): boolean | undefined {
  const byShape = new Map<string, { readonly names: string[]; readonly hours: number[] }>();
  for (const { name, times, isDue } of columns) {
    if (times === undefined || isDue) continue;
    const { names, hours } = byShape.get(times.shape) ?? { names: [], hours: [] };
    byShape.set(times.shape, {
      names: [...names, name],
      hours: times.hours.map((count, hour) => count + (hours[hour] ?? 0)),
    });
  }
  const lost = [...byShape.values()].filter(({ hours }) => isHalf(hours)).flatMap(({ names }) => names);
  if (lost.length === 0) return false;
  const answer = asker.ask({
    id: 'clock',
    about: 'clock',
    text: `No time in ${lost.map((name) => `"${name}"`).join(', ')} is after 12:59. Did they lose AM and PM?`,
    choices: [
      { answer: '12h', text: 'They did: the file cannot be read' },
      { answer: '24h', text: 'No, nothing happened later' },
    ],
    proposed: '12h',
  });
  return answer === undefined ? undefined : answer === '12h';
}

const [EARLY, LATE] = [4, 10]; // hours that a morning does not have together, and a day does

/** Whether hours are those of a clock with 12: from 1 to 12, or all from 0 to 11. */
function isHalf(hours: readonly number[]): boolean {
  const met = hours.flatMap((count, hour) => (count > 0 ? [hour] : []));
  if (hours.reduce((sum, count) => sum + count, 0) < MANY_TIMES || met.some((hour) => hour > 12)) return false;
  if (met.includes(0)) return met.length === 12 && !met.includes(12);
  return Math.min(...met) <= EARLY && Math.max(...met) >= LATE;
}

/** The zones that times name by letters which several zones have, if they are more than one: summer and winter are one. */
export function unclearZones(used: readonly FileColumn[]): readonly string[] {
  const byStem = new Map<string, string>();
  for (const letters of used.flatMap(({ times }) => times?.zoneLetters ?? []))
    byStem.set(letters.replace(/[SD]?T$/, ''), letters);
  return byStem.size > 1 ? [...byStem.values()] : [];
}

/** The mapping's `time`, and the zone of each column that has one of its own; undefined while a question is open. */
export interface TimeFields {
  readonly time: NonNullable<WrittenMapping['time']>;
  readonly zoneOf: (column: FileColumn) => string | undefined;
}

/** Makes the formats and the zone of the times that a mapping uses. */
export function timeFields(
  draft: ProposalDraft,
  used: readonly FileColumn[],
  zone: string | undefined,
  siteZone: string,
): TimeFields | undefined {
  for (const { name, times } of used)
    for (const text of times?.remote ?? []) draft.notes.push(`"${text}" in "${name}" stands for no time.`);
  const forms = [...new Set(used.flatMap(({ times }) => times?.forms ?? []))];
  const formats = forms.map((form) => (form === 'written' ? `${draft.order}_first` : form));
  const place = (format: string): number => ['iso', 'year_first'].indexOf(format) + 1 || 3;
  formats.sort((a, b) => place(a) - place(b));
  const [format, ...further] = formats;
  const written = further.length > 0 ? { format: formats } : format === 'iso' ? {} : { format };
  const bare = used.filter(({ times }) => times?.isBare);
  const named = [...new Set(draft.columns.flatMap((column) => (column.times && column.zone ? [column.zone] : [])))];
  const own = (column: FileColumn): string | undefined => (named.length > 1 ? column.zone : undefined);
  if (bare.length === 0) return { time: written, zoneOf: own };
  const [only] = named;
  const others = bare.filter((column) => column.hasOtherZone);
  const told = draft.asker.told('zone');
  const given = isZoneAnswer(told) ? told : zone;
  if (named.length > 0 && others.length > 0) {
    const answer = given ?? askZone(draft, others, siteZone);
    const zoneOf = (column: FileColumn) => (others.includes(column) ? answer : own(column));
    return answer === undefined ? undefined : { time: { ...written, zone: only }, zoneOf };
  }
  if (named.length === 1 && only !== undefined) return { time: { ...written, zone: only }, zoneOf: own };
  if (named.length > 1 && bare.every((column) => column.zone !== undefined))
    return { time: { ...written, zone: only }, zoneOf: own };
  const answer = given ?? askZone(draft, bare, siteZone);
  return answer === undefined ? undefined : { time: { ...written, zone: answer }, zoneOf: own };
}

const isZoneAnswer = (answer: unknown): answer is string => typeof answer === 'string' && isZone(answer);

function askZone(
  { asker, columns, notes }: ProposalDraft,
  bare: readonly FileColumn[],
  siteZone: string,
): string | undefined {
  const told = columns.find((column) => mentionsRole(column, 'zone'));
  const [said = '', ...others] = told?.values?.keys() ?? [];
  if (told !== undefined && others.length > 0 && [said, ...others].every(isZone))
    notes.push(`"${told.name}" names several zones: all times are read in one.`);
  const question: Question = {
    id: 'zone',
    about: 'zone',
    text: `In which time zone, such as "Europe/Berlin", are the times of ${bare.map(({ name }) => `"${name}"`).join(', ')}?`,
    choices: [],
    proposed: others.length === 0 && isZone(said) ? said : siteZone,
  };
  const answer = asker.ask(question, isZoneAnswer);
  return isZoneAnswer(answer) ? answer : undefined;
}
