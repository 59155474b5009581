import type { FieldDefinition } from '../definitions.ts';
import type { Format } from '../format.ts';
import { text } from '../text/text.ts';
import type { ByChance } from './report.ts';

/** How a number has changed: relative to the earlier one, or in points if it is a rate. */
export interface Change {
  readonly kind: 'share' | 'points';
  readonly amount: number; // 0.05 for +5 %; 5 for +5 points. Rounded as it is shown
  readonly verdict: 'better' | 'worse' | 'same' | 'flat'; // same: chance alone would give such a change
}

/** The change of a field's number; undefined if the two cannot be compared. */
export function changeOf(
  now: number | null,
  before: number | null,
  byChance: ByChance | undefined, // undefined: nothing tells
  field: Pick<FieldDefinition, 'unit' | 'better'>,
): Change | undefined {
  if (now === null || before === null || byChance === 'partial') return undefined;
  const kind = field.unit === 'percent' ? 'points' : 'share';
  if (kind === 'share' && before === 0) return undefined;
  // Rounded, so that a shown 0 is neither better nor worse.
  const amount =
    kind === 'points' ? Math.round((now - before) * 10) / 10 : Math.round((100 * (now - before)) / before) / 100;
  return { kind, amount, verdict: verdictOf(amount, byChance ?? null, field.better) };
}

function verdictOf(amount: number, byChance: boolean | null, better: FieldDefinition['better']): Change['verdict'] {
  if (better === 'neither' || amount === 0 || byChance === null) return 'flat';
  if (byChance) return 'same';
  return amount > 0 === (better === 'up') ? 'better' : 'worse';
}

/** A change in words. What chance gives is no rise and no fall, so that its size stands behind the words. */
export function changeText({ kind, amount, verdict }: Change, format: Format): string {
  const size = kind === 'points' ? text.overview.points(format.signed(amount)) : format.signedShare(amount);
  if (verdict === 'flat') return size;
  return verdict === 'same' ? `${text.overview.same} (${size})` : `${size} ${text.overview[verdict]}`;
}
