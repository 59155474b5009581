import type { DurationUnit } from '../../vocabulary.ts';
import { formatReader } from '../language/times.ts';
import { isBusinessName, isDueName, isNothing, mentionsRole, type NamedRole, rolesOfName } from '../language/words.ts';
import { type DateOrder, type TimeText, writtenTime } from '../language/written-time.ts';
import { durationUnits } from './durations.ts';
import type { FileRole } from './proposal.ts';
import type { Survey } from './survey.ts';

/** How a column writes its times. */
interface ColumnTimes {
  readonly forms: readonly string[]; // formats of `timeReader`, or `written`: one whose order of day and month is the file's
  readonly shape: string; // of the first text: which signs stand between its digits
  readonly zoneLetters: readonly string[]; // of zones that have them in common with others
  readonly isBare: boolean; // some times have no zone
  readonly pairs: { readonly day: number; readonly month: number; readonly dotted: number; readonly either: number };
  readonly isOfDays: boolean; // no time is past midnight
  readonly others: ReadonlySet<string>; // texts that are no times
  readonly remote: ReadonlySet<string>; // texts of times that stand for none: 2000-01-01, or 2099-12-31
  readonly hours: readonly number[]; // texts by their hour, but those of midnight and those with AM or PM
  readonly at: (row: number, order: DateOrder) => number; // microseconds; NaN: the cell holds no time
}

/** A column of a survey. */
export interface FileColumn {
  readonly index: number;
  readonly name: string;
  readonly cell: (row: number) => string; // of the survey's rows; empty for texts that stand for nothing
  readonly filled: number; // rows of the survey with a text
  readonly distinct: number; // different texts in the survey's rows
  readonly values: ReadonlyMap<string, number> | undefined; // rows of the file by text; undefined: too many
  readonly nothing: readonly string[]; // texts that stand for nothing
  readonly times: ColumnTimes | undefined;
  readonly units: readonly DurationUnit[]; // in which its texts can be read as durations; of several none is proven
  readonly isNumber: boolean;
  readonly isClock: boolean; // its texts are times of a day without a date
  readonly named: readonly NamedRole[];
  readonly isDue: boolean;
  readonly isBusiness: boolean;
  readonly zone: string | undefined; // that its name says
  readonly hasOtherZone: boolean; // its name speaks of a zone, but does not say which one it is
}

const TIME_ROLES: readonly FileRole[] = ['created', 'updated', 'replied', 'solved', 'closed', 'due', 'at'];
const DURATION_ROLES: readonly FileRole[] = ['replied_after', 'solved_after', 'replied', 'solved'];
const MEMBER_ROLES: readonly FileRole[] = ['assignee', 'actor', 'group', 'company', 'requester', 'submitter'];
const LOOK = 200; // cells that decide whether a column may hold times

/** Returns the columns of a survey with what their cells are. */
export function fileColumns(survey: Survey): FileColumn[] {
  const isYearFirst = areYearsFirst(survey);
  return survey.header.map((name, index) => columnOf(survey, name, index, isYearFirst));
}

const SHORT_DATE = /^(\d{2})[-/.](\d{2})[-/.](\d{2})(?!\d)/;

/** Whether dates with years of two digits begin with the year: of the two ends that one that varies less is the year. */
function areYearsFirst({ header, rows }: Survey): boolean {
  const [firsts, lasts] = [new Set<number>(), new Set<number>()];
  const step = Math.max(1, Math.floor(rows.length / LOOK));
  for (let row = 0; row < rows.length; row += step) {
    for (let index = 0; index < header.length; index += 1) {
      const found = SHORT_DATE.exec(rows[row]?.[index] ?? '');
      if (found === null) continue;
      if (Number(found[2]) > 12 || Number(found[3]) > 31) return false;
      firsts.add(Number(found[1]));
      lasts.add(Number(found[3]));
    }
  }
  return firsts.size < lasts.size;
}

/** The texts of a column by how often they stand there, those that say nothing, and the number of the others. */
function textsOf(rows: Survey['rows'], index: number, ofMember: boolean) {
  const nothing = new Set<string>();
  const met = new Map<string, number>();
  let filled = 0;
  for (const cells of rows) {
    const text = cells[index] ?? '';
    if (text === '') continue;
    if (nothing.has(text)) continue;
    const before = met.get(text);
    if (before === undefined && isNothing(text, ofMember)) {
      nothing.add(text);
      continue;
    }
    met.set(text, (before ?? 0) + 1);
    filled += 1;
  }
  return { met, nothing, filled };
}

function columnOf({ rows, counts }: Survey, name: string, index: number, isYearFirst: boolean): FileColumn {
  const named = rolesOfName(name);
  const isNamed = (roles: readonly FileRole[]): boolean => mentionsRole({ named }, ...roles);
  const ofMember = isNamed(MEMBER_ROLES);
  const { met, nothing, ...texts } = textsOf(rows, index, ofMember);
  let { filled } = texts;
  const cell = (row: number): string => {
    const text = rows[row]?.[index] ?? '';
    return nothing.has(text) ? '' : text;
  };
  const sample = [...met.keys()].slice(0, LOOK);
  const isTimeNamed =
    isNamed(TIME_ROLES) ||
    (named.length === 0 &&
      sample.every((text) => BARE_NUMBER.test(text)) &&
      sample.some((text) => /^1\d{9,}$|[.,]\d{4,}$/.test(text)));
  const read = (text: string): CellTime | undefined => readCell(text, isTimeNamed, isYearFirst);
  const times = timesOf(rows.length, cell, read, areEnough(sample, read, isTimeNamed));
  const never = new Set([...(times?.others ?? [])].filter((text) => (met.get(text) ?? 0) > 1)); // one is a wrong cell: it is reported
  for (const text of times?.remote ?? []) never.add(text);
  const minus = times || !isNamed(DURATION_ROLES) ? [] : [...met.keys()].filter((text) => /^-\d/.test(text));
  for (const text of minus.length === 1 ? minus : []) never.add(text); // -1
  for (const text of never) {
    nothing.add(text); // "never", or 9999-12-31
    filled -= met.get(text) ?? 0;
    met.delete(text);
  }
  const values = counts[index] && new Map([...counts[index]].filter(([text]) => !nothing.has(text)));
  const isClock = sample.length > 1 && sample.every((text) => CLOCK_OF_DAY.test(text));
  const units =
    times === undefined && isNamed(DURATION_ROLES)
      ? durationUnits(
          name,
          sample.filter((text) => !nothing.has(text)),
        )
      : [];
  const isNumber = sample.length > 0 && sample.every((text) => /^-?\d+([.,]\d+)?$/.test(text));
  return {
    index,
    name,
    cell,
    filled,
    distinct: met.size,
    values,
    nothing: [...nothing],
    times,
    isNumber,
    named: units.length === 1 && !isClock ? named.map(asDuration) : named,
    isClock,
    units,
    isDue: isDueName(name),
    isBusiness: isBusinessName(name),
    ...zonesOf(name),
  };
}

/** Durations under the name of a time, as *First response (minutes)*, are the time to it. */
function asDuration(named: NamedRole): NamedRole {
  if (named.role === 'replied') return { ...named, role: 'replied_after' };
  return named.role === 'solved' ? { ...named, role: 'solved_after' } : named;
}

const CLOCK_OF_DAY = /^(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/;
const ENOUGH = 0.9;
const ENOUGH_NAMED = 0.5; // part of a column's texts that are times if its name says so: the others are wrong cells

/** Whether a column holds times although some of its texts are none; one wrong cell of three proves nothing. */
function areEnough(sample: readonly string[], read: (text: string) => unknown, isNamed: boolean): boolean {
  const all = sample.length;
  const fitting = sample.filter((text) => read(text) !== undefined).length;
  return all > 0 && (fitting >= all * (isNamed ? ENOUGH_NAMED : ENOUGH) || (all >= 3 && fitting === all - 1));
}

/** Formats of times that are nothing but digits, and what these look like: they are times only under the name of one. */
const NUMBERS = (
  [
    ['epoch_seconds', /^1\d{9}(?:\.\d+)?$/],
    ['epoch_milliseconds', /^1\d{12}$/],
    ['excel', /^[3-6]\d{4}(?:[.,]\d+)?$/],
    ['yyyyMMdd[HHmmss]', /^(?:19|20)\d{6}(?:\d{6})?$/],
  ] as const
).map(([form, digits]) => ({ form, digits, read: formatReader(form) }));
/** Numbers that are times although no name says so: seconds and milliseconds since 1970, and serial numbers with a fraction. */
const BARE_NUMBER = /^(?:1[4-9]\d{8}|1[4-9]\d{11}|[3-6]\d{4}(?:[.,]\d+)?)$/;

const [DAY, HOUR] = [86_400_000_000, 3_600_000_000];
/** Times that a help desk has, in microseconds: programs write the first days of 1970, or the year 9999, for none. */
const [FIRST, LAST] = [2 * DAY, Date.UTC(2200, 0) * 1_000];
const isPossible = (micros: number): boolean => micros > FIRST && micros < LAST;

/** A text that is a time, in one of the forms of a column. */
type CellTime = Omit<TimeText, 'form'> & { readonly form: string };

function readCell(text: string, isNamed: boolean, isYearFirst: boolean): CellTime | undefined {
  const written = writtenTime(text, isYearFirst);
  if (written !== undefined) return isPossible(written.day) || isPossible(written.month) ? written : undefined;
  if (!isNamed) return undefined;
  for (const { form, digits, read } of NUMBERS) {
    const reading = digits.test(text) ? read(text) : undefined;
    if (reading?.wall === undefined) continue;
    const at = reading.wall - (reading.offset ?? 0);
    const hasZone = reading.offset !== undefined;
    const usual = { hasHalf: false, letters: undefined, pair: undefined, isDotted: false };
    return { ...usual, form, hasZone, day: at, month: at };
  }
  return undefined;
}

/** A text as it is written, without its words and numbers. */
const shapeOf = (text: string): string => text.replaceAll(/\d+/g, '0').replaceAll(/\p{L}+/gu, 'a');

function timesOf(
  rows: number,
  cell: (row: number) => string,
  readText: (text: string) => CellTime | undefined,
  isIt: boolean,
): ColumnTimes | undefined {
  if (!isIt) return undefined;
  const forms = new Map<string, number>();
  const pairs = { day: 0, month: 0, dotted: 0, either: 0 };
  const [byDay, byMonth] = [new Float64Array(rows).fill(Number.NaN), new Float64Array(rows).fill(Number.NaN)];
  const others = new Set<string>();
  const hours: number[] = Array.from({ length: 24 }, () => 0);
  const letters = new Set<string>();
  let shape = '';
  let [isBare, isOfDays] = [false, true];
  for (let row = 0; row < rows; row += 1) {
    const text = cell(row);
    const read = text === '' ? undefined : readText(text);
    if (read === undefined) {
      if (text !== '') others.add(text);
      continue;
    }
    forms.set(read.form, (forms.get(read.form) ?? 0) + 1);
    if (shape === '') shape = shapeOf(text);
    if (read.letters !== undefined) letters.add(read.letters);
    if (!read.hasZone) isBare = true;
    const ofDay = (Number.isNaN(read.day) ? read.month : read.day) % DAY;
    if (ofDay !== 0) isOfDays = false;
    const hour = Math.floor(ofDay / HOUR);
    if (ofDay > 0 && !read.hasHalf) hours[hour] = (hours[hour] ?? 0) + 1;
    byDay[row] = read.day;
    byMonth[row] = read.month;
    if (read.pair === undefined) continue;
    const [first, second] = read.pair;
    if (read.isDotted) pairs.dotted += 1;
    if (first > 12) pairs.day += 1;
    else if (second > 12) pairs.month += 1;
    else if (first !== second) pairs.either += 1;
  }
  const remote = new Set([...remoteRows(byDay), ...remoteRows(byMonth)].map(cell));
  for (let row = 0; row < rows && remote.size > 0; row += 1) {
    if (remote.has(cell(row))) byDay[row] = byMonth[row] = Number.NaN;
  }
  return {
    forms: [...forms].sort((a, b) => b[1] - a[1]).map(([form]) => form),
    shape,
    zoneLetters: [...letters],
    isBare,
    isOfDays,
    pairs,
    others,
    remote,
    hours,
    at: (row, order) => (order === 'day' ? byDay : byMonth)[row] ?? Number.NaN,
  };
}

const REMOTE = 10 * 365.25 * DAY; // a help desk has no such gap between its times
const ENOUGH_TIMES = 5; // beside the remote one

/** The rows of the last or the first time if it lies many years from all others: programs write such times for none. */
function remoteRows(times: Float64Array): number[] {
  const found: number[] = [];
  for (const sign of [1, -1]) {
    let [end, next, others] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
    for (const time of times) if (time * sign > end) end = time * sign;
    for (const time of times) {
      if (time * sign < end) others += 1;
      if (time * sign < end && time * sign > next) next = time * sign;
    }
    if (others >= ENOUGH_TIMES && end - next > REMOTE)
      times.forEach((time, row) => void (time * sign === end && found.push(row)));
  }
  return found;
}

/** Returns the zone that a column's name says in brackets or at its end; undefined if it says none that is one zone. */
function zoneOfName(name: string): string | undefined {
  const area = /[([]([A-Z][A-Za-z_]+\/[A-Za-z_/+-]+)[)\]]/.exec(name)?.[1];
  if (area !== undefined && isZone(area)) return area;
  if (/(?:^|[\s_([])(?:UTC|GMT|utc|gmt)(?: ?[+-]0?0(?::?00)?)?(?:[)\]]|$)/.test(name)) return 'UTC';
  const offset = /[([ ](?:UTC|GMT) ?([+-])0?(\d{1,2})(?::?00)?[)\]]?$/.exec(name);
  if (offset === null) return undefined;
  return `Etc/GMT${offset[1] === '+' ? '-' : '+'}${offset[2]}`; // POSIX turns the sign round
}

const OTHER_ZONE = /[([](?:[A-Z]{2,3}T|(?:local|lokal|Ortszeit|hora local|heure locale|ora locale)[^)\]]*)[)\]]/;

function zonesOf(name: string): Pick<FileColumn, 'zone' | 'hasOtherZone'> {
  const zone = zoneOfName(name);
  return { zone, hasOtherZone: zone === undefined && OTHER_ZONE.test(name) };
}

/** Whether a text names a zone. */
export function isZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return text.length > 0;
  } catch {
    return false;
  }
}
