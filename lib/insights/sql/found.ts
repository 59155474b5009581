import { certain } from '../../certain.ts';
import { memoize } from '../../memo.ts';
import { dimensionNamed } from '../definitions/dimensions.ts';
import type { DurationName, Percent } from '../definitions/durations.ts';
import type { Measure } from '../definitions/measures.ts';
import { NOTHING } from '../json-bytes.ts';
import type { Plan } from '../plan.ts';
import { type Member, type Reference, valueHash } from '../reference.ts';
import { backlogInstants } from '../scan/backlog.ts';
import { onlineMembers } from '../scan/online.ts';
import type { ScanResult } from '../scan/scan-result.ts';
import type { Statement } from './statement.ts';

/** A row of a statement: the part, the window, the members, whole numbers. */
export type ResultRow = readonly [
  tag: number,
  window: number,
  one: string | null,
  two: string | null,
  ...numbers: (number | null)[],
];

/** The results of the plans of a statement, by the rows that an engine found. */
export function statementResults(
  plans: readonly Plan[],
  { parts }: Statement,
  rows: Iterable<ResultRow>,
): ScanResult[] {
  const all = plans.map(createFound);
  for (const [tag, window, one, two, ...numbers] of rows) {
    const part = certain(parts[tag]);
    const found = certain(all[part.plan]);
    const at = (index: number): number => numbers[index] ?? 0;
    if (part.of === 'online') found.online(window, [one, two], at(0), at(1));
    else if (part.of === 'backlog') found.rise(window, [one, two], at(0));
    else {
      const cell = found.cell(window, [one, two]);
      if (cell < 0) continue;
      if (part.of === 'sums')
        for (const [index, { measure, times }] of part.sums.entries()) found.add(measure, cell, at(index) * times);
      else
        for (const [index, percent] of part.percents.entries())
          found.rank(part.duration, percent, cell, between(percent, at(0), at(1 + 2 * index), at(2 + 2 * index)));
    }
  }
  return all.map((found) => found.result());
}

/** The value at a percent of the way through `size` sorted values, between the two around it. */
function between(percent: Percent, size: number, low: number, high: number): number {
  const hundredths = percent * (size - 1);
  return (100 * low + (hundredths % 100) * (high - low)) / 100;
}

type MemberPair = readonly [string | null, string | null];

/** The cells of a plan while they are being found. */
function createFound(plan: Plan) {
  const { request, reference } = plan;
  const sides = [
    sideOf(plan, request.dimension1, request.dimension1_values),
    sideOf(plan, request.dimension2, request.dimension2_values),
  ] as const;
  const cells = createCells();
  const sums = new Map<Measure, number[]>([...plan.measures].map((measure) => [measure, []]));
  const ranked = new Map<DurationName, Map<Percent, number[]>>();
  const rises = new Map<string, Rises>();
  const numbersOf = ([one, two]: MemberPair) => [sides[0].number(one), sides[1].number(two)] as const;
  const add = (measure: Measure, cell: number, value: number): void => {
    const of = certain(sums.get(measure));
    if (cell >= 0) of[cell] = (of[cell] ?? 0) + value;
  };
  return {
    cell: (window: number, members: MemberPair): number => cells.at(window, numbersOf(members)),
    add,
    rank(duration: DurationName, percent: Percent, cell: number, value: number): void {
      const of = gotten(ranked, duration, () => new Map<Percent, number[]>());
      gotten(of, percent, (): number[] => [])[cell] = value;
    },
    rise(window: number, members: MemberPair, by: number): void {
      const pair = numbersOf(members);
      const rise = gotten(rises, pair.join(' '), () => ({ pair, by: [] }));
      rise.by[window] = (rise.by[window] ?? 0) + by;
    },
    online(window: number, [one, two]: MemberPair, agent: number, seconds: number): void {
      for (const [a, b] of onlineMembers(request, reference, agent))
        add('onlineSeconds', cells.at(window, numbersOf([one ?? textOf(a), two ?? textOf(b)])), seconds);
    },
    result(): ScanResult {
      addUp(plan, rises, (pair, window, open) => add('openCases', cells.at(window, pair), open));
      const { first, second, windows } = cells;
      const dense = (values: readonly number[], nothing: number): Float64Array =>
        Float64Array.from({ length: windows.length }, (_, cell) => values[cell] ?? nothing);
      const byPercent = (of: ReadonlyMap<Percent, readonly number[]>) =>
        new Map([...of].map(([percent, values]) => [percent, dense(values, NOTHING)]));
      return {
        members: [sides[0].members, sides[1].members],
        ...{ first: Int32Array.from(first), second: Int32Array.from(second), windows: Int32Array.from(windows) },
        measures: [...sums.keys()],
        sums: [...sums.values()].map((values) => dense(values, 0)),
        samples: new Map(),
        ranked: new Map([...ranked].map(([duration, of]) => [duration, byPercent(of)])),
      };
    },
  };
}

/** By how much the backlog of a pair of members rises at each window. */
interface Rises {
  readonly pair: readonly [number, number];
  readonly by: number[];
}

/** Visits the backlog of each pair in each window that has begun and in which it is above 0. */
function addUp(
  plan: Plan,
  rises: ReadonlyMap<string, Rises>,
  visit: (pair: Rises['pair'], window: number, open: number) => void,
): void {
  const begun = backlogInstants({ ...plan, total: false }).instants.length;
  for (const { pair, by } of rises.values()) {
    let open = 0;
    for (let window = 0; window < begun; window += 1) {
      open += by[window] ?? 0;
      if (open > 0) visit(pair, window, open);
    }
  }
}

/** Numbers cells as they are met; a cell with a member that is not shown is −1. */
function createCells() {
  const cells = new Map<string, number>();
  const found: Readonly<Record<'first' | 'second' | 'windows', number[]>> = { first: [], second: [], windows: [] };
  return {
    ...found,
    at(window: number, [one, two]: readonly [number, number]): number {
      if (one < 0 || two < 0) return -1;
      return gotten(cells, `${window} ${one} ${two}`, () => {
        found.first.push(one);
        found.second.push(two);
        return found.windows.push(window) - 1;
      });
    },
  };
}

function gotten<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

const textOf = (member: Member | null): string | null => (member === null ? null : String(member));

/** The members of a dimension, numbered as they are met; below 0 is one that the report does not show. */
function sideOf({ reference }: Plan, name: Plan['request']['dimension1'], values: readonly Member[] | null) {
  const members: (Member | null)[] = name === null ? [null] : [];
  const numbers = new Map<string | null, number>(name === null ? [[null, 0]] : []);
  const wanted = values === null || values.length === 0 ? undefined : new Set(values.map(String));
  return {
    members,
    number: memoize((text: string | null): number => {
      const member = name === null || text === null ? null : memberOf(name, text, reference);
      const isShown = member === null || (wanted?.has(String(member)) ?? true);
      return isShown ? members.push(member) - 1 : -1;
    }, numbers),
  };
}

/** The member that a text of a statement stands for: a value of a custom field for its hash. */
function memberOf(name: NonNullable<Plan['request']['dimension1']>, text: string, reference: Reference): Member {
  const { members } = dimensionNamed(name);
  if (members === 'statuses') return text;
  const colon = members === 'customValues' ? text.indexOf(':') : -1;
  if (colon < 0) return Number(text);
  const field = Number(text.slice(0, colon));
  return reference.customFields.get(field)?.listed ? `${field}:${valueHash(text.slice(colon + 1))}` : field;
}
