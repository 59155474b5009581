import type { Condition } from '../../../lib/store/condition.ts';
import type { Item } from '../../../lib/store/table.ts';

/** Whether a condition holds of what stands under a key. */
export function holds(condition: Condition | undefined, item: Item | undefined): boolean {
  if (condition === undefined) return true;
  if ('anyOf' in condition) return condition.anyOf.some((part) => holds(part, item));
  if ('absent' in condition) return item === undefined;
  if ('present' in condition) return item !== undefined;
  const value = item?.[condition.attribute];
  if ('equals' in condition) return value === condition.equals;
  return typeof value === 'number' && value <= condition.atMost;
}
