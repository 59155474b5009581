import type { Meaning } from '../../../../lib/import/proposal/proposal.ts';
import type { Chance } from './chance.ts';
import { wordsOf } from './writing.ts';
import { isShared, type Style } from './written.ts';

/** A column of a table. */
interface TableColumn<T> {
  readonly name: string;
  readonly cell: (one: T, index: number) => string;
}

/** A table that is being written, with what its columns and values mean. */
export interface Table<T> {
  readonly chance: Chance;
  readonly style: Style;
  readonly doubts: string[]; // what the file cannot prove
  readonly roles: Record<string, string>;
  readonly meanings: Record<string, Record<string, Meaning>>;
  readonly units: Record<string, string>; // of durations, by column
  /** Adds a column; `role` is what it truly is, undefined for one that must not be used. Returns its name. */
  readonly add: (role: string | undefined, header: string, cell: TableColumn<T>['cell']) => string;
  /** A header that means a role, not used yet. */
  readonly name: (role: string) => string;
  readonly time: (at: number | undefined) => string;
  readonly rows: (things: readonly T[]) => string[][];
}

const FASHIONS: readonly ((name: string) => string)[] = [
  (name) => name.toUpperCase(),
  (name) => name.toLowerCase().replaceAll(/[ -]+/g, '_'),
  (name) => ` ${name}`,
];

export function newTable<T>(chance: Chance, style: Style): Table<T> {
  const { headers } = wordsOf(chance.maybe(0.2) ? 'en' : style.language);
  const english = wordsOf('en').headers;
  const taken = new Set<string>();
  const columns: TableColumn<T>[] = [];
  const [doubts, roles, meanings, units]: [string[], Record<string, string>, Table<T>['meanings'], Table<T>['units']] =
    [[], {}, {}, {}];
  const fashion = chance.maybe(0.25) ? chance.pick(FASHIONS) : (name: string): string => name;
  const isFree = (one: string): boolean => !taken.has(one.toLowerCase());
  const name = (role: string): string => {
    const isAny = chance.maybe(0.1); // also words that mean several things
    const free = (headers[role] ?? []).filter((one) => isFree(one) && (isAny || !isShared(headers, role, one)));
    const picked = chance.pick(free.length > 0 ? free : (english[role] ?? []).filter(isFree));
    if (isShared(headers, role, picked)) doubts.push(`"${picked}" means several things`);
    taken.add(picked.toLowerCase());
    return fashion(picked);
  };
  const add: Table<T>['add'] = (role, header, cell) => {
    columns.push({ name: header, cell });
    if (role !== undefined) roles[role] = header.trim();
    return header.trim();
  };
  return {
    ...{ chance, style, doubts, roles, meanings, units, add, name },
    time: (at) => (at === undefined ? '' : style.clock.write(at)),
    rows: (things) => {
      const [first, ...others] = columns;
      const ordered = first && chance.maybe(0.3) ? [first, ...chance.some(others, others.length)] : columns;
      return [
        ordered.map((one) => one.name),
        ...things.map((one, index) => ordered.map(({ cell }) => cell(one, index))),
      ];
    },
  };
}

/** Puts the zone of a file into a header, if the file says it there. */
export const zoned = (header: string, { clock }: Style): string =>
  clock.zoneIn === 'header' ? `${header} (${clock.zone})` : header;
