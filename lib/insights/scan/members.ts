import type { Member } from '../reference.ts';

/** The members of a dimension in the order in which they were met. */
export interface NumberedMembers {
  readonly members: (Member | null)[];
  readonly numbers: Map<Member, number>;
  readonly wanted: ReadonlySet<Member> | null; // null: all
  readonly none: number; // of what has no member; below 0 where it does not count
  readonly numberings: Map<readonly unknown[], Numbering>; // of dictionaries, which many segments share
}

/** The members to keep: null for all; undefined where the dimension is not asked for. */
export type KeptMembers = readonly Member[] | null | undefined;

/** No members yet; a dimension that is not asked for has the only member 0, as has what has no member if that is kept. */
export const createMembers = (wanted: KeptMembers, keepsNone: boolean): NumberedMembers => ({
  members: wanted === undefined || keepsNone ? [null] : [],
  none: keepsNone ? 0 : -1,
  numbers: new Map(),
  wanted: wanted == null ? null : new Set(wanted.flatMap(bothForms)),
  numberings: new Map(),
});

/** A member as it may be met: what a client names by digits may be a number. */
function bothForms(value: Member): Member[] {
  const [text, number] = [String(value), Number(value)];
  return String(number) === text ? [text, number] : [text];
}

/** The number of a member; −1 where the report leaves it out. */
export function numberMember({ members, numbers, wanted }: NumberedMembers, member: Member): number {
  const known = numbers.get(member);
  if (known !== undefined) return known;
  const number = wanted === null || wanted.has(member) ? members.push(member) - 1 : -1;
  numbers.set(member, number);
  return number;
}

/** The same of what may be no member of the dimension. */
const numberOf = (numbered: NumberedMembers, member: Member | null): number =>
  member === null ? -1 : numberMember(numbered, member);

/** How the members of a dictionary are numbered. */
export interface Numbering {
  readonly numbers: Int32Array; // by index, 0 being none; −1 where it does not count or the report leaves it out
  readonly wanted: WantedMembers | undefined; // where the report leaves out members
}

/** Which members of a dictionary a report has. */
export interface WantedMembers {
  readonly marks: Uint8Array; // by index: 1 where it has them
  readonly first: number; // index; −1 where it has none
  readonly only: number | undefined; // the number of the first where it has no other
}

/** The numbering of a dictionary of integers, which rise: the same one for the same dictionary. */
export function numberIntegers(numbered: NumberedMembers, dictionary: readonly number[]): Numbering {
  const known = numbered.numberings.get(dictionary);
  return known ?? remember(numbered, dictionary, numberingOf(numbered, dictionary, placeOfInteger));
}

/** The numbering of a dictionary, of which the `members` are made: likewise. */
export function numberMembers<T>(
  numbered: NumberedMembers,
  dictionary: readonly T[],
  members: (dictionary: readonly T[]) => readonly (Member | null)[],
): Numbering {
  const known = numbered.numberings.get(dictionary);
  return known ?? remember(numbered, dictionary, numberingOf(numbered, members(dictionary), placeOfMember));
}

function remember({ numberings }: NumberedMembers, dictionary: readonly unknown[], numbering: Numbering): Numbering {
  numberings.set(dictionary, numbering);
  return numbering;
}

/** Where a member stands in a dictionary; below 0 where it does not. */
type PlaceOf<M extends Member | null> = (members: readonly M[], member: Member) => number;

const placeOfMember: PlaceOf<Member | null> = (members, member) => members.indexOf(member);

const placeOfInteger: PlaceOf<number> = (members, member) => {
  if (typeof member === 'string') return -1;
  let low = 0;
  let high = members.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (members[middle]! < member) low = middle + 1;
    else high = middle;
  }
  return members[low] === member ? low : -1;
};

function numberingOf<M extends Member | null>(
  numbered: NumberedMembers,
  members: readonly M[],
  placeOf: PlaceOf<M>,
): Numbering {
  const { wanted } = numbered;
  if (wanted !== null) return new SomeMembers(numbered, members, indicesOf(wanted, members, placeOf));
  const numbers = new Int32Array(members.length + 1).fill(-1);
  numbers[0] = numbered.none;
  for (let at = 0; at < members.length; at += 1) numbers[at + 1] = numberOf(numbered, members[at]!);
  return { numbers, wanted: undefined };
}

/** Some members of a dictionary. Arrays by index are made when asked for: facts found by their only member need none. */
class SomeMembers implements Numbering, WantedMembers {
  readonly first: number;
  readonly only: number | undefined;
  readonly wanted = this;
  readonly #size: number;
  readonly #kept: readonly number[]; // indices, rising
  readonly #keptNumbers: readonly number[];
  #numbers: Int32Array | undefined;
  #marks: Uint8Array | undefined;

  constructor(numbered: NumberedMembers, members: readonly (Member | null)[], kept: readonly number[]) {
    this.#size = members.length + 1;
    this.#kept = kept;
    this.#keptNumbers = kept.map((index) => numberOf(numbered, members[index - 1]!));
    this.first = kept[0] ?? -1;
    this.only = kept.length === 1 ? this.#keptNumbers[0] : undefined;
  }

  get numbers(): Int32Array {
    if (this.#numbers === undefined) {
      this.#numbers = new Int32Array(this.#size).fill(-1);
      for (const [at, index] of this.#kept.entries()) this.#numbers[index] = this.#keptNumbers[at]!;
    }
    return this.#numbers;
  }

  get marks(): Uint8Array {
    if (this.#marks === undefined) {
      this.#marks = new Uint8Array(this.#size);
      for (const index of this.#kept) this.#marks[index] = 1;
    }
    return this.#marks;
  }
}

const MANY = 4; // to look a wanted member up among those of a segment takes so many times as long as to number one of these

/** The indices of wanted members, rising. */
function indicesOf<M extends Member | null>(
  wanted: ReadonlySet<Member>,
  members: readonly M[],
  placeOf: PlaceOf<M>,
): number[] {
  const indices: number[] = [];
  if (MANY * wanted.size >= members.length) {
    for (let at = 0; at < members.length; at += 1) {
      const member = members[at]!;
      if (member !== null && wanted.has(member)) indices.push(at + 1);
    }
    return indices;
  }
  for (const member of wanted) {
    const at = placeOf(members, member);
    if (at >= 0) indices.push(at + 1);
  }
  return indices.length < 2 ? indices : indices.sort((a, b) => a - b);
}
