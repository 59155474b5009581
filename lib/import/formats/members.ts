import { createHash } from 'node:crypto';
import { name } from '../records/fields.ts';
import type { HistoryRecord } from '../records/records.ts';

/** The kinds of members that a mapping can name. */
export type MemberKind = 'agent' | 'group' | 'label' | 'channel' | 'company' | 'macro' | 'custom_field';

/** The id of a member known by its name alone: the same in every import, an integer from 1 to 2^48 - 1. */
export function memberId(kind: MemberKind, name: string): number {
  const digest = createHash('sha256').update(`${kind}\0${name}`).digest();
  return Math.max(1, digest.readUIntBE(0, 6));
}

/** The members that an import has met. */
export interface Members {
  /** The member's id by name, or the one that `ids` gives; a new member's record is kept for `take`. Throws `Rejection`. */
  readonly id: (kind: MemberKind, name: string, ids?: Readonly<Record<string, number>>) => number;
  /** The reference records of members met since the last call, in a list to keep. */
  readonly take: () => HistoryRecord[];
}

/** Starts without any. Their records are dated 1970, so that any record with a later `updated_at`, or none, wins. */
export function newMembers(): Members {
  const known = new Map<MemberKind, Map<string, number>>();
  let fresh: HistoryRecord[] = [];
  return {
    id: (kind, given, ids) => {
      let kin = known.get(kind);
      if (kin === undefined) known.set(kind, (kin = new Map()));
      const found = kin.get(given);
      if (found !== undefined) return found;
      const id =
        (ids !== undefined && Object.hasOwn(ids, given) ? ids[given] : undefined) ?? memberId(kind, name(given, kind));
      kin.set(given, id);
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
