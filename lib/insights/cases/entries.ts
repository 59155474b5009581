import { defineField } from '../definitions.ts';
import { DURATIONS } from '../durations.ts';
import { type FieldName, fieldNamed } from '../fields.ts';
import type { Measure } from '../measures.ts';
import { UNITS, type Units } from './units.ts';

/**
 * Returns how to find the entries behind a cell of a field, which are units of its measures; undefined for time online,
 * which has no cases.
 */
export function entriesOf(name: FieldName): Units | undefined {
  const field = fieldNamed(name);
  if ('total' in field) return made(field.total, counting);
  if ('sample' in field) return made(DURATIONS[field.sample].seconds, all);
  const { of, per, times } = field;
  const [first] = of;
  const [counted] = per;
  if (first === undefined || counted === undefined) return undefined;
  if (times === 1) return made(of.length > 1 ? counted : first, all);
  const other = first === 'reopens' ? counted : per.find((measure) => per.includes(first) && measure !== first);
  if (other === undefined) return made(first, all);
  return made(first, (ones) => made(other, (others) => apart(ones, others)));
}

/** Returns whether an entry with a value is counted: in a rate one that adds nothing is only in the denominator. */
export function countedIn(name: FieldName): (value: number) => boolean {
  const isRate = defineField(name).kind === 'rate';
  return (value) => value > 0 || !isRate;
}

function made<T>(measure: Measure, make: (units: Units) => T): T | undefined {
  return measure === 'onlineSeconds' ? undefined : make(UNITS[measure]);
}

/** The entries of a mean, a percentile or a rate. */
const all = (units: Units): Units => units;

/** The entries of a total: units that add nothing are left out. */
const counting =
  (units: Units): Units =>
  (view, take) =>
    units(view, (row, second, value, fact) => {
      if (value > 0) take(row, second, value, fact);
    });

/** The entries of a rate whose denominator has units of its own. */
const apart =
  (counted: Units, others: Units): Units =>
  (view, take) => {
    counted(view, (row, second, _, fact) => take(row, second, 1, fact));
    others(view, (row, second, _, fact) => take(row, second, 0, fact));
  };
