import type { DurationUnit } from '../../vocabulary.ts';
import { durationSeconds, namedUnit } from '../language/durations.ts';

/** Returns the unit that a column's name says; a unit in brackets counts first. */
function unitOfName(header: string): DurationUnit | undefined {
  const name = header
    .normalize('NFKC')
    .replaceAll('_', ' ')
    .replaceAll(/\d+\s*\p{L}+/gu, ' '); // "last 30 days" is no unit
  const bracket = /[([]([^)\]]*)[)\]]\s*$/u.exec(name)?.[1];
  const inside = bracket === undefined ? undefined : namedUnit(bracket, true);
  return inside ?? namedUnit(name.replaceAll(/[([][^)\]]*[)\]]/gu, ' '));
}

/** Units of texts that do not say it: numbers, and hours:minutes or minutes:seconds. */
const BARE: readonly (readonly DurationUnit[])[] = [
  ['clock', 'short_clock'],
  ['minutes', 'hours', 'seconds', 'days'],
];

/**
 * Returns the units in which texts can be read as durations: one if they say it by themselves, or the column's name does;
 * several if nothing says which; none if they are no durations.
 */
export function durationUnits(header: string, texts: readonly string[]): readonly DurationUnit[] {
  if (texts.length === 0 || isOtherwiseWritten(header, texts)) return [];
  const fits = (unit: DurationUnit | undefined): unit is DurationUnit =>
    unit !== undefined && texts.every((text) => durationSeconds(text, unit) !== undefined);
  const isLong = texts.some((text) => /:.*:/.test(text));
  const said = [clockOfName(header), isLong ? ('clock' as const) : undefined, 'words' as const, unitOfName(header)];
  const known = said.find(fits);
  if (known !== undefined) return [known];
  return BARE.find((units) => units.some(fits))?.filter(fits) ?? [];
}

/** Whether texts read as durations would be wrong: thousands with a separator, and days before the hours. */
function isOtherwiseWritten(header: string, texts: readonly string[]): boolean {
  const pointed = texts.filter((text) => text.includes('.'));
  const areThousands = pointed.length > 0 && pointed.every((text) => /^[1-9]\d{0,2}(?:\.\d{3})+$/.test(text));
  return areThousands || /\b[dtjg]{1,2}[:.]\s?(?:h{1,2}|u{1,2})\b/i.test(header) || haveDays(texts);
}

const MANY_HOURS = 20; // texts: of so many minutes some are 24 or later

/** Whether the second of three parts is always below 24, as hours are, and minutes are not for long. */
function haveDays(texts: readonly string[]): boolean {
  const seconds = texts.flatMap((text) => {
    const [, first = '', second = ''] = /^(\d+):(\d{1,2}):\d{1,2}$/.exec(text) ?? [];
    return Number(first) > 0 ? [Number(second)] : [];
  });
  return seconds.length >= MANY_HOURS && Math.max(...seconds) < 24 && Math.max(...seconds) > 0;
}

/** Returns which clock a column's name says: `(hh:mm)`, `[h]:mm:ss`, `(mm:ss)`, `in hours`. */
function clockOfName(header: string): DurationUnit | undefined {
  if (/\bh{1,2}\]?:m{1,2}/i.test(header) || unitOfName(header) === 'hours') return 'clock';
  return /\bm{1,2}\]?:s{1,2}/i.test(header) ? 'short_clock' : undefined;
}
