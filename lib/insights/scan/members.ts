import type { Member } from '../reference.ts';

/** The members of a dimension, numbered in the order in which they were met. */
export interface NumberedMembers {
  readonly members: (Member | null)[]; // by number
  readonly numbers: Map<Member, number>; // −1 for a member that the report leaves out
  readonly wanted: ReadonlySet<Member> | null; // null for all
  readonly none: number; // the number of facts without a member; below 0 if they do not count
  readonly numberings: Map<readonly unknown[], Numbering>; // a cache by dictionary, which many segments share
}

/** The members to keep: null for all; undefined if the dimension is not asked for. */
export type MemberChoice = readonly Member[] | null | undefined;

/** Creates a numbering. Number 0 is null without a dimension, or if facts without a member are kept. */
export const createMembers = (wanted: MemberChoice, keepsNone: boolean): NumberedMembers => ({
  members: wanted === undefined || keepsNone ? [null] : [],
  none: keepsNone ? 0 : -1,
  numbers: new Map(),
  wanted: wanted == null ? null : new Set(wanted.flatMap(bothForms)),
  numberings: new Map(),
});

/** The forms in which a wanted member may be met: a text of digits may stand for a number. */
function bothForms(value: Member): Member[] {
  const [text, number] = [String(value), Number(value)];
  return String(number) === text ? [text, number] : [text];
}

/** Returns the number of a member, a new one if it has none; −1 if the report leaves the member out. */
export function numberMember({ members, numbers, wanted }: NumberedMembers, member: Member): number {
  const known = numbers.get(member);
  if (known !== undefined) return known;
  const number = wanted === null || wanted.has(member) ? members.push(member) - 1 : -1;
  numbers.set(member, number);
  return number;
}

/** The numbers of the members of a dictionary. */
export interface Numbering {
  readonly numbers: Int32Array; // by dictionary index, where 0 means no member; −1 if it does not count
  readonly wanted: WantedMembers | undefined; // if the report leaves out members
}

/** The members of a dictionary that a report shows. */
export interface WantedMembers {
  readonly marks: Uint8Array; // by dictionary index: 1 if the report shows the member
  readonly count: number; // how many it shows
  readonly first: number; // the lowest index of these; −1 if there is none
}

/**
 * Returns the numbering of a dictionary, cached by dictionary; `membersOf` makes its members. Several entries may have
 * one member, as the values of a custom field without a list do.
 */
export function numberMembers<T>(
  numbered: NumberedMembers,
  dictionary: readonly T[],
  membersOf: (dictionary: readonly T[]) => readonly (Member | null)[],
): Numbering {
  const known = numbered.numberings.get(dictionary);
  if (known !== undefined) return known;
  const members = membersOf(dictionary);
  const numbers = new Int32Array(members.length + 1).fill(-1);
  numbers[0] = numbered.none;
  for (let at = 0; at < members.length; at += 1) {
    const member = members[at]!;
    if (member !== null) numbers[at + 1] = numberMember(numbered, member);
  }
  const numbering = { numbers, wanted: numbered.wanted === null ? undefined : wantedOf(numbers) };
  numbered.numberings.set(dictionary, numbering);
  return numbering;
}

function wantedOf(numbers: Int32Array): WantedMembers {
  const marks = Uint8Array.from(numbers, (number) => (number < 0 ? 0 : 1));
  return { marks, first: marks.indexOf(1), count: marks.reduce((sum, mark) => sum + mark, 0) };
}
