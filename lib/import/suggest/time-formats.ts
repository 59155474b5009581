import { carriesOffset, timeReader } from '../formats/times.ts';
import { Rejection } from '../records/fields.ts';

/**
 * Formats that are tried, the most usual first. Day before month comes first, because it is more frequent in exports.
 */
const FORMATS = [
  'iso',
  'yyyy-MM-dd HH:mm:ss[.SSS]',
  "yyyy-MM-dd HH:mm:ss[.SSS] 'UTC'",
  'yyyy-MM-dd HH:mm:ss[.SSS] X',
  'yyyy-MM-dd h:mm[:ss] a',
  'yyyy/MM/dd HH:mm:ss[.SSS]',
  'yyyy/MM/dd HH:mm',
  'd/M/yyyy H:mm[:ss]',
  'M/d/yyyy H:mm[:ss]',
  'd/M/yyyy h:mm[:ss] a',
  'M/d/yyyy h:mm[:ss] a',
  'd-M-yyyy H:mm[:ss]',
  'd.M.yyyy H:mm[:ss]',
  'd/M/yy H:mm[:ss]',
  'M/d/yy H:mm[:ss]',
  'd/M/yy h:mm[:ss] a',
  'M/d/yy h:mm[:ss] a',
  'd.M.yy H:mm[:ss]',
  'd/MMM/yy h:mm[:ss] a',
  'd/MMM/yy H:mm[:ss]',
  'd MMM yyyy H:mm[:ss]',
  'd MMM yyyy h:mm a',
  'd-MMM-yyyy H:mm[:ss]',
  'MMM d, yyyy h:mm[:ss] a',
  'MMM d, yyyy H:mm[:ss]',
  'EEE, d MMM yyyy H:mm:ss X',
  'yyyy/MM/dd',
  'd/M/yyyy',
  'M/d/yyyy',
  'd.M.yyyy',
  'd-M-yyyy',
  'd/M/yy',
  'M/d/yy',
  'd/MMM/yy',
] as const;

/** Numbers that count as times only if the column's name says so. */
const EPOCHS: readonly (readonly [format: string, digits: RegExp])[] = [
  ['epoch_seconds', /^1\d{9}(\.\d+)?$/],
  ['epoch_milliseconds', /^1\d{12}$/],
];

/** The time format of a column. */
export interface FoundFormat {
  readonly format: string;
  readonly others: readonly string[]; // formats that fit as well
  readonly needsZone: boolean; // the texts have no offset
}

const ENOUGH = 0.9; // part of the texts that must fit: a few may be wrong

/** Finds the time format of nearly all texts; undefined if they are no times. */
export function findTimeFormat(texts: readonly string[], isNamedTime: boolean): FoundFormat | undefined {
  if (texts.length === 0) return undefined;
  const share = (fits: (text: string) => boolean): number => texts.filter(fits).length / texts.length;
  for (const [format, digits] of isNamedTime ? EPOCHS : []) {
    if (share((text) => digits.test(text)) >= ENOUGH) return { format, others: [], needsZone: false };
  }
  const shares = FORMATS.map((format) => ({ format, share: share(fits(format)) }));
  const most = Math.max(...shares.map((one) => one.share));
  const fitting = shares.filter((one) => one.share === most && most >= ENOUGH).map(({ format }) => format);
  const [format, ...others] = fitting;
  if (format === undefined) return undefined;
  const bare =
    format === 'iso'
      ? share((text) => /(Z|[+-]\d\d:?\d\d|[+-]\d\d)$/i.test(text.slice(10))) < ENOUGH
      : !carriesOffset(format);
  return { format, others: format === 'iso' ? [] : others, needsZone: bare }; // formats like ISO 8601 mean the same
}

function fits(format: string): (text: string) => boolean {
  const read = timeReader([format], 'UTC');
  return (text) => {
    try {
      read(text, '');
      return true;
    } catch (error) {
      if (error instanceof Rejection) return false;
      throw error;
    }
  };
}
