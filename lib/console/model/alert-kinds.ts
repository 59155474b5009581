import { keysOf } from '../../typed-object.ts';
import type { Format } from './format.ts';
import { byKey, text } from './text/text.ts';

/** A number that is watched; null: it is empty. */
export interface WatchedNumber {
  readonly value: number | null;
  readonly before: number | null; // in the period before; null unless the kind compares with it
  readonly unit: string;
}

/** A kind of alert: when a number is beyond a bound, and how both are said. */
interface AlertKind {
  readonly label: string; // in a form, after "Tell when it"
  readonly mailed: string; // in a mail, after "The number is"
  readonly compares: boolean; // whether it needs the number of the period before
  isCrossed(number: WatchedNumber & { readonly value: number }, bound: number): boolean | null; // null: nothing can be said
  boundText(bound: number | null, unit: string, format: Format): string;
  boundHint(unit: string): string | undefined; // undefined: the bound is typed as it is shown
}

const BY_UNIT = byKey({ seconds: 'In seconds', percent: 'In percent' });

const ownNumber: Pick<AlertKind, 'compares' | 'boundText' | 'boundHint'> = {
  compares: false,
  boundText: (bound, unit, format) => format.value(bound, unit),
  boundHint: (unit) => BY_UNIT[unit],
};

/** The kinds of alerts by their `comparison` in the API. */
export const ALERT_KINDS: Readonly<Record<'above' | 'below' | 'changed_by', AlertKind>> = {
  above: { label: 'is above', mailed: 'above', ...ownNumber, isCrossed: ({ value }, bound) => value > bound },
  below: { label: 'is below', mailed: 'below', ...ownNumber, isCrossed: ({ value }, bound) => value < bound },
  // In percent of the number before, which is empty if that is 0; of a rate in points; up and down alike.
  changed_by: {
    label: 'changes by more than',
    mailed: 'changed by more than',
    compares: true,
    isCrossed: ({ value, before, unit }, bound) => {
      if (before === null) return null;
      if (unit === 'percent') return Math.abs(value - before) > bound;
      return before === 0 ? null : (100 * Math.abs(value - before)) / Math.abs(before) > bound;
    },
    boundText: (bound, unit, format) =>
      unit === 'percent' ? text.overview.points(format.value(bound, '')) : format.value(bound, 'percent'),
    boundHint: (unit) => `In ${unit === 'percent' ? 'points' : 'percent'}, up or down, against the period before`,
  },
};

export type Comparison = keyof typeof ALERT_KINDS;
export const ALERT_COMPARISONS = keysOf(ALERT_KINDS);

/** Whether a number is beyond the bound of an alert; null if it is empty: nothing is neither much nor little. */
export const isCrossed = (
  { comparison, bound }: { readonly comparison: Comparison; readonly bound: number },
  { value, ...number }: WatchedNumber,
): boolean | null => (value === null ? null : ALERT_KINDS[comparison].isCrossed({ value, ...number }, bound));
