import type { Faults } from '../../errors.ts';
import { movedBefore } from '../../http/fields.ts';
import type { Collection } from '../../store/collection.ts';
import { members } from '../../store/keys.ts';
import type { Item } from '../../store/table.ts';
import { LAST_POSITION, slaPolicies } from './sla-policies.ts';

const STEP = 10; // between positions that are given, so that another policy fits in without moving those after it
const MOST_MOVED = 90; // policies that change their positions in one transaction

/**
 * The items that move a policy before another one, or to the end (null); none if it stands there already. Policies keep
 * their positions where they can; `now` in epoch ms.
 */
export function planPolicyMove(
  collection: Collection,
  id: number,
  before: number | null,
  { faults, now }: { readonly faults: Faults; readonly now: number },
): Item[] {
  const policies = slaPolicies(collection);
  const ids = policies.map((policy) => policy.id);
  const order = movedBefore(ids, id, before);
  if (order === undefined) faults.add('not_found', 'before');
  if (order === undefined || order.join() === ids.join()) return [];
  const positions = new Map(policies.map((policy) => [policy.id, policy.position]));
  const items = [...newPositions(order, id, positions)].flatMap(([each, position]) => {
    const item = collection.items.get(members.item(each));
    return item === undefined ? [] : [{ ...item, position, updated_at: now }];
  });
  if (items.length > MOST_MOVED)
    faults.explain('too_large', ['before'], {
      message: `A move changes at most ${MOST_MOVED} positions; this one changes ${items.length}. Move the policy by fewer places.`,
    });
  return items;
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
