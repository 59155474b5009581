import { type MemberKind, memberId } from '../../access/member-id.ts';
import { name } from '../../json-readers.ts';
import type { HistoryRecord } from '../records/records.ts';

/** The members that appeared in an import. */
export interface Members {
  /**
   * Returns a member's id, from `ids` or made from the name; keeps a new member's record for `take`. Throws
   * `Rejection`.
   */
  readonly id: (kind: MemberKind, name: string, ids?: Readonly<Record<string, number>>) => number;
  /** Returns the reference records of the members that appeared since the last call; the list is the caller's. */
  readonly take: () => HistoryRecord[];
}

/**
 * Starts without members. Their records are dated 1970, so that any record with a later `updated_at`, or none, wins.
 * Files of one import share `told`: a member that several of them name has one record.
 */
export function newMembers(told = new Set<string>()): Members {
  const known = new Map<MemberKind, Map<string, number>>();
  let fresh: HistoryRecord[] = [];
  return {
    id: (kind, given, ids) => {
      let ofKind = known.get(kind);
      if (ofKind === undefined) known.set(kind, (ofKind = new Map()));
      const found = ofKind.get(given);
      if (found !== undefined) return found;
      const id =
        (ids !== undefined && Object.hasOwn(ids, given) ? ids[given] : undefined) ?? memberId(kind, name(given, kind));
      ofKind.set(given, id);
      const record = `${kind} ${id} ${given}`;
      if (told.has(record)) return id;
      told.add(record);
      const named = { id, name: given, updated_at: 0 };
      fresh.push(kind === 'custom_field' ? { type: kind, object: 'case', ...named } : { type: kind, ...named });
      return id;
    },
    take: () => {
      const taken = fresh;
      fresh = [];
      return taken;
    },
  };
}
