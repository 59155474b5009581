import type { Condition } from '../../../lib/store/condition.ts';
import type { Item } from '../../../lib/store/table.ts';

/** Whether a condition holds for the stored item (undefined: none). */
export function conditionHolds(condition: Condition | undefined, item: Item | undefined): boolean {
  if (condition === undefined) return true;
  if ('anyOf' in condition) return condition.anyOf.some((part) => conditionHolds(part, item));
  if ('absent' in condition) return item === undefined;
  if ('present' in condition) return item !== undefined;
  if ('lacks' in condition) return item !== undefined && item[condition.lacks] === undefined;
  const value = item?.[condition.attribute];
  if ('equals' in condition) return isEqual(value, condition.equals);
  return isNumber(value) && value <= condition.atMost;
}

/** Integers past 2^53 are read as `bigint`; both types are compared by value. */
const isNumber = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';

const isEqual = (value: unknown, wanted: string | number): boolean =>
  typeof value === 'bigint' && Number.isInteger(wanted) ? value === BigInt(wanted) : value === wanted;
