import type { SourceColumn } from './merged-rows.ts';

/** Several dictionaries merged into one, with only the members that some index names. */
export interface MergedMembers<T> {
  readonly members: readonly T[]; // rising
  readonly indices: readonly Int32Array[]; // by table: index in its dictionary → index in `members`; from 1, 0 is none
}

/** How members are told apart and sorted. */
export interface MemberOrder<T> {
  readonly keyOf: (member: T) => unknown; // equal for equal members
  readonly compare: (a: T, b: T) => number;
}

/** Merges one dictionary of each table; members that none of `columns` names are left out. */
export function mergeMembers<T>(
  dictionaries: readonly (readonly T[])[],
  columns: readonly SourceColumn[],
  { keyOf, compare }: MemberOrder<T>,
): MergedMembers<T> {
  const indices = dictionaries.map(({ length }) => new Int32Array(length + 1));
  for (const column of columns) mark(indices, column);
  for (const met of indices) met[0] = 0;
  const all = new Map<unknown, T>();
  eachMet(indices, dictionaries, (member) => void all.set(keyOf(member), member));
  const members = [...all.values()].sort(compare);
  const merged = new Map(members.map((member, at) => [keyOf(member), at + 1]));
  eachMet(indices, dictionaries, (member, met, index) => {
    met[index] = merged.get(keyOf(member))!;
  });
  return { members, indices };
}

function mark(indices: readonly Int32Array[], { ranges: { table, from, to }, values }: SourceColumn): void {
  for (let i = 0; i < table.length; i += 1) {
    const met = indices[table[i]!]!;
    const column = values[table[i]!]!;
    const end = to[i]!;
    for (let at = from[i]!; at < end; at += 1) met[column[at]!] = 1;
  }
}

function eachMet<T>(
  indices: readonly Int32Array[],
  dictionaries: readonly (readonly T[])[],
  visit: (member: T, met: Int32Array, index: number) => void,
): void {
  for (const [table, met] of indices.entries()) {
    for (let index = 1; index < met.length; index += 1) {
      if (met[index] !== 0) visit(dictionaries[table]![index - 1]!, met, index);
    }
  }
}
