import { createHash } from 'node:crypto';

/** The kinds of members that a mapping can name. */
export type MemberKind = 'agent' | 'group' | 'label' | 'channel' | 'company' | 'macro' | 'custom_field';

/** Makes an id from a member's name, the same in every import: an integer from 1 to 2^48 − 1. */
export function memberId(kind: MemberKind, name: string): number {
  const digest = createHash('sha256').update(`${kind}\0${name}`).digest();
  return Math.max(1, digest.readUIntBE(0, 6));
}
