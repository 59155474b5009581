import { DURATIONS } from '../durations.ts';
import { type FieldName, fieldNamed } from '../fields.ts';
import type { Measure } from '../measures.ts';
import type { View } from '../scan/view.ts';
import { UNITS, type Units } from './units.ts';

/**
 * Receives an entry behind a cell: its row, its second since the segment's start, its value, and whether it is counted
 * or only in the denominator.
 */
export type TakeEntry = (row: number, second: number, value: number, counted: boolean) => void;

/** Passes the entries behind a cell in a segment to `take`, one by one. */
export type Entries = (view: View, take: TakeEntry) => void;

/** Returns how to find the entries of a field; undefined for time online, which has no cases. */
export function entriesOf(name: FieldName): Entries | undefined {
  const field = fieldNamed(name);
  if ('total' in field) return made(field.total, counting);
  if ('sample' in field) return made(DURATIONS[field.sample].seconds, measuring);
  const { of, per, times } = field;
  const [first] = of;
  const [counted] = per;
  if (first === undefined || counted === undefined) return undefined;
  if (times === 1) return made(of.length > 1 ? counted : first, measuring);
  const other = first === 'reopens' ? counted : per.find((measure) => per.includes(first) && measure !== first);
  if (other === undefined) return made(first, rating);
  return made(first, (ones) => made(other, (others) => apart(ones, others)));
}

function made<T>(measure: Measure, make: (units: Units) => T): T | undefined {
  return measure === 'onlineSeconds' ? undefined : make(UNITS[measure]);
}

/** The entries of a total: units that add nothing are left out. */
const counting =
  (units: Units): Entries =>
  (view, take) =>
    units(view, (row, second, value) => {
      if (value > 0) take(row, second, value, true);
    });

/** The entries of a mean or a percentile: all units. */
const measuring =
  (units: Units): Entries =>
  (view, take) =>
    units(view, (row, second, value) => take(row, second, value, true));

/** The entries of a rate: all units, where those that add nothing are only in the denominator. */
const rating =
  (units: Units): Entries =>
  (view, take) =>
    units(view, (row, second, value) => take(row, second, value, value > 0));

/** The entries of a rate whose denominator has units of its own. */
const apart =
  (counted: Units, others: Units): Entries =>
  (view, take) => {
    counted(view, (row, second) => take(row, second, 1, true));
    others(view, (row, second) => take(row, second, 0, false));
  };
