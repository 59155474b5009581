import { defineField } from '../definitions/definitions.ts';
import { DURATIONS } from '../definitions/durations.ts';
import { type FieldName, fieldNamed } from '../definitions/fields.ts';
import { definitionOf, type Measure } from '../definitions/measures.ts';
import { byCase, type Units, unitsOf } from './units.ts';

/**
 * Returns how to find the entries behind a cell of a field, which are units of its measures; undefined for time online,
 * which has no cases.
 */
export function entriesOf(name: FieldName): Units | undefined {
  const field = fieldNamed(name);
  if ('total' in field) return counting(unitsOf(field.total));
  if ('sample' in field) {
    const { seconds, count } = DURATIONS[field.sample];
    return allOf([seconds], count);
  }
  const { of, per, times } = field;
  const [first] = of;
  const [counted] = per;
  if (first === undefined || counted === undefined) return undefined;
  if (times === 1) return allOf(of, counted);
  const other = first === 'reopens' ? counted : per.find((measure) => per.includes(first) && measure !== first);
  return other === undefined ? unitsOf(first) : apart(unitsOf(first), unitsOf(other));
}

/** The entries of a mean or a percentile; if a case is once in the denominator, it has one entry. */
function allOf(of: readonly Measure[], per: Measure): Units | undefined {
  const definition = definitionOf(per);
  const isOnce = 'counts' in definition && definition.counts === 'once';
  const units = of.flatMap((measure) => unitsOf(measure) ?? []);
  return isOnce ? byCase(units) : units[0];
}

/** Returns whether an entry with a value is counted: in a rate one that adds nothing is only in the denominator. */
export function countedIn(name: FieldName): (value: number) => boolean {
  const isRate = defineField(name).kind === 'rate';
  return (value) => value > 0 || !isRate;
}

/** The entries of a total: units that add nothing are left out. */
function counting(units: Units | undefined): Units | undefined {
  if (units === undefined) return undefined;
  return (view, take) =>
    units(view, (row, second, value, fact) => {
      if (value > 0) take(row, second, value, fact);
    });
}

/** The entries of a rate whose denominator has units of its own. */
function apart(counted: Units | undefined, others: Units | undefined): Units {
  return (view, take) => {
    counted?.(view, (row, second, _, fact) => take(row, second, 1, fact));
    others?.(view, (row, second, _, fact) => take(row, second, 0, fact));
  };
}
