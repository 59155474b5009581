import { movedBefore } from '../../http/fields.ts';
import type { Edit } from '../../resource/change.ts';
import type { Move } from '../../resource/resource.ts';
import type { Collection } from '../../store/collection.ts';
import { members } from '../../store/keys.ts';
import { LAST_POSITION, type SlaPolicy } from './sla-policies.ts';

const STEP = 10; // between positions that are given, so that another policy fits in without moving those after it
const MOST_MOVED = 90; // policies that change their positions in one transaction

/**
 * The edits that move a policy before another one, or to the end (null); none if it stands there already. Policies keep
 * their positions where they can.
 */
export function planPolicyMove(
  { items }: Collection,
  policies: readonly SlaPolicy[],
  { id, before, now, faults }: Move,
): Edit[] {
  const ids = policies.map((policy) => policy.id);
  const order = movedBefore(ids, id, before);
  if (order === undefined) faults.add('not_found', 'before');
  if (order === undefined || order.join() === ids.join()) return [];
  const positions = new Map(policies.map((policy) => [policy.id, policy.position]));
  const edits = [...newPositions(order, id, positions)].flatMap(([each, position]) => {
    const item = items.get(members.item(each));
    return item === undefined ? [] : [{ before: item, after: { ...item, position, updated_at: now } }];
  });
  if (edits.length > MOST_MOVED)
    faults.explain('too_large', ['before'], {
      message: `A move changes at most ${MOST_MOVED} positions; this one changes ${edits.length}. Move the policy by fewer places.`,
    });
  return edits;
}

/** The positions that change when a policy is put to its place in an order. */
function newPositions(
  order: readonly number[],
  moved: number,
  before: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  const place = order.indexOf(moved);
  const positionOf = (nth: number): number =>
    (nth === place ? LAST_POSITION : before.get(order[nth] ?? 0)) ?? LAST_POSITION;
  const changed = new Map<number, number>();
  let last = -1;
  for (const [nth, id] of order.entries()) {
    const own = positionOf(nth);
    if (own === LAST_POSITION && nth > place) break; // those without a position stay last, by id
    if (own !== LAST_POSITION && own > last) last = own;
    else {
      const room = Math.floor((positionOf(nth + 1) - last) / 2);
      last += Math.max(1, Math.min(STEP, room));
      changed.set(id, last);
    }
  }
  return changed;
}
