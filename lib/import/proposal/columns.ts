import type { DurationUnit } from '../mapping/durations.ts';
import { durationUnits } from './durations.ts';
import type { FileRole } from './proposal.ts';
import type { Survey } from './survey.ts';
import { isBusinessName, isDueName, isNothing, type NamedRole, rolesOfName } from './words.ts';
import { type DateOrder, type TimeText, writtenTime } from './written-time.ts';

/** How a column writes its times. */
interface ColumnTimes {
  readonly forms: readonly string[]; // with `{1}` and `{2}` for day and month in the file's order
  readonly isBare: boolean; // some times have no zone
  readonly pairs: { readonly day: number; readonly month: number; readonly dotted: number; readonly either: number };
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
  readonly named: readonly NamedRole[];
  readonly isDue: boolean;
  readonly isBusiness: boolean;
  readonly zone: string | undefined; // that its name says
}

const TIME_ROLES: readonly FileRole[] = ['created', 'updated', 'replied', 'solved', 'closed', 'due', 'at'];
const DURATION_ROLES: readonly FileRole[] = ['replied_after', 'solved_after', 'replied', 'solved'];
const MEMBER_ROLES: readonly FileRole[] = ['assignee', 'actor', 'group', 'company', 'requester', 'submitter'];
const LOOK = 200; // cells that decide whether a column may hold times

/** Returns the columns of a survey with what their cells are. */
export function fileColumns(survey: Survey): FileColumn[] {
  return survey.header.map((name, index) => columnOf(survey, name, index));
}

function columnOf({ rows, counts }: Survey, name: string, index: number): FileColumn {
  const named = rolesOfName(name);
  const isNamed = (roles: readonly FileRole[]): boolean => named.some(({ role }) => roles.includes(role));
  const ofMember = isNamed(MEMBER_ROLES);
  const nothing = new Set<string>();
  const met = new Set<string>();
  let filled = 0;
  for (const cells of rows) {
    const text = cells[index] ?? '';
    if (text === '') continue;
    if (nothing.has(text)) continue;
    if (!met.has(text) && isNothing(text, ofMember)) {
      nothing.add(text);
      continue;
    }
    met.add(text);
    filled += 1;
  }
  const cell = (row: number): string => {
    const text = rows[row]?.[index] ?? '';
    return nothing.has(text) ? '' : text;
  };
  const values = counts[index] && new Map([...counts[index]].filter(([text]) => !nothing.has(text)));
  const sample = [...met].slice(0, LOOK);
  const isTimeNamed =
    isNamed(TIME_ROLES) ||
    (named.length === 0 &&
      sample.every((text) => BARE_NUMBER.test(text)) &&
      sample.some((text) => /^1\d{9,}$|[.,]\d{4,}$/.test(text)));
  const times = timesOf(rows.length, cell, sample, isTimeNamed);
  const isNumber = sample.length > 0 && sample.every((text) => /^-?\d+([.,]\d+)?$/.test(text));
  return {
    ...{ index, name, cell, filled, distinct: met.size, values, nothing: [...nothing], times, isNumber, named },
    units: times === undefined && isNamed(DURATION_ROLES) ? durationUnits(name, sample) : [],
    isDue: isDueName(name),
    isBusiness: isBusinessName(name),
    zone: zoneOfName(name),
  };
}

const ENOUGH = 0.9;
const ENOUGH_NAMED = 0.5; // part of a column's texts that are times if its name says so: the others are wrong cells

/** Whether a column holds times although some of its texts are none; one wrong cell of three proves nothing. */
const areEnough = (fitting: number, all: number, isNamed: boolean): boolean =>
  fitting >= all * (isNamed ? ENOUGH_NAMED : ENOUGH) || (all >= 3 && fitting === all - 1);
const EPOCHS: readonly (readonly [form: string, digits: RegExp, micros: number])[] = [
  ['epoch_seconds', /^1\d{9}(?:\.\d+)?$/, 1_000_000],
  ['epoch_milliseconds', /^1\d{12}$/, 1_000],
];
/** Numbers that are times although no name says so: seconds and milliseconds since 1970, and serial numbers with a fraction. */
const BARE_NUMBER = /^(?:1[4-9]\d{8}|1[4-9]\d{11}|[3-6]\d{4}(?:[.,]\d+)?)$/;
const SERIAL = /^[3-6]\d{4}(?:[.,]\d+)?$/;

function readCell(text: string, isNamed: boolean): TimeText | undefined {
  const written = writtenTime(text);
  if (written !== undefined) return Number.isNaN(written.day) && Number.isNaN(written.month) ? undefined : written;
  if (!isNamed) return undefined;
  const number = (form: string, hasZone: boolean, at: number): TimeText => ({
    ...{ form, hasZone, pair: undefined, isDotted: false, day: at, month: at },
  });
  for (const [form, digits, unit] of EPOCHS) if (digits.test(text)) return number(form, true, Number(text) * unit);
  if (SERIAL.test(text)) return number('excel', false, (Number(text.replace(',', '.')) - 25_569) * 86_400_000_000);
  return undefined;
}

function timesOf(
  rows: number,
  cell: (row: number) => string,
  sample: readonly string[],
  isNamed: boolean,
): ColumnTimes | undefined {
  if (sample.length === 0) return undefined;
  const fitting = sample.filter((text) => readCell(text, isNamed) !== undefined).length;
  if (!areEnough(fitting, sample.length, isNamed)) return undefined;
  const forms = new Map<string, number>();
  const pairs = { day: 0, month: 0, dotted: 0, either: 0 };
  const [byDay, byMonth] = [new Float64Array(rows).fill(Number.NaN), new Float64Array(rows).fill(Number.NaN)];
  let isBare = false;
  for (let row = 0; row < rows; row += 1) {
    const text = cell(row);
    const read = text === '' ? undefined : readCell(text, isNamed);
    if (read === undefined) continue;
    forms.set(read.form, (forms.get(read.form) ?? 0) + 1);
    if (!read.hasZone) isBare = true;
    byDay[row] = read.day;
    byMonth[row] = read.month;
    if (read.pair === undefined) continue;
    const [first, second] = read.pair;
    if (read.isDotted) pairs.dotted += 1;
    if (first > 12) pairs.day += 1;
    else if (second > 12) pairs.month += 1;
    else if (first !== second) pairs.either += 1;
  }
  return {
    forms: [...forms].sort((a, b) => b[1] - a[1]).map(([form]) => form),
    isBare,
    pairs,
    at: (row, order) => (order === 'day' ? byDay : byMonth)[row] ?? Number.NaN,
  };
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

/** Whether a text names a zone. */
export function isZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return text.length > 0;
  } catch {
    return false;
  }
}
