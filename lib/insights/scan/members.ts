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
export type KeptMembers = readonly Member[] | null | undefined;

/** Creates a numbering. Number 0 is null without a dimension, or if facts without a member are kept. */
export const createMembers = (wanted: KeptMembers, keepsNone: boolean): NumberedMembers => ({
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

/** The same, but −1 for null, a value that is no member of the dimension. */
const numberOf = (numbered: NumberedMembers, member: Member | null): number =>
  member === null ? -1 : numberMember(numbered, member);

/** The numbers of the members of a dictionary. */
export interface Numbering {
  readonly numbers: Int32Array; // by dictionary index, where 0 means no member; −1 if it does not count
  readonly wanted: WantedMembers | undefined; // if the report leaves out members
}

/** The members of a dictionary that a report shows. */
export interface WantedMembers {
  readonly marks: Uint8Array; // by dictionary index: 1 if the report shows the member
  readonly first: number; // the lowest such index; −1 if there is none
  readonly only: number | undefined; // the number of that member, if it is the only one
}

/** Returns the numbering of a dictionary of rising integers, cached by dictionary. */
export function numberIntegers(numbered: NumberedMembers, dictionary: readonly number[]): Numbering {
  const known = numbered.numberings.get(dictionary);
  return known ?? remember(numbered, dictionary, numberingOf(numbered, dictionary, indexOfInteger));
}

/**
 * Returns the numbering of a dictionary whose members the function `members` makes, cached by dictionary. Several entries
 * may have one member, as the values of a custom field without a list do.
 */
export function numberMembers<T>(
  numbered: NumberedMembers,
  dictionary: readonly T[],
  members: (dictionary: readonly T[]) => readonly (Member | null)[],
): Numbering {
  const known = numbered.numberings.get(dictionary);
  return known ?? remember(numbered, dictionary, numberingOf(numbered, members(dictionary)));
}

function remember({ numberings }: NumberedMembers, dictionary: readonly unknown[], numbering: Numbering): Numbering {
  numberings.set(dictionary, numbering);
  return numbering;
}

/** Returns the index of a member in a list that has it once at most; −1 if it is not there. */
type IndexOf<M extends Member | null> = (members: readonly M[], member: Member) => number;

const indexOfInteger: IndexOf<number> = (members, member) => {
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
  indexOf?: IndexOf<M>,
): Numbering {
  const { wanted } = numbered;
  if (wanted !== null) return new SomeMembers(numbered, members, indicesOf(wanted, members, indexOf));
  const numbers = new Int32Array(members.length + 1).fill(-1);
  numbers[0] = numbered.none;
  for (let at = 0; at < members.length; at += 1) numbers[at + 1] = numberOf(numbered, members[at]!);
  return { numbers, wanted: undefined };
}

/** A numbering of some members. Its arrays are made on first use, since facts found by their only member need none. */
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

const MANY = 4; // searching a wanted member in a dictionary takes so many times as long as checking one of its entries

/** The dictionary indices of the wanted members, rising. */
function indicesOf<M extends Member | null>(
  wanted: ReadonlySet<Member>,
  members: readonly M[],
  indexOf: IndexOf<M> | undefined,
): number[] {
  const indices: number[] = [];
  if (indexOf === undefined || MANY * wanted.size >= members.length) {
    for (let at = 0; at < members.length; at += 1) {
      const member = members[at]!;
      if (member !== null && wanted.has(member)) indices.push(at + 1);
    }
    return indices;
  }
  for (const member of wanted) {
    const at = indexOf(members, member);
    if (at >= 0) indices.push(at + 1);
  }
  return indices.length < 2 ? indices : indices.sort((a, b) => a - b);
}
