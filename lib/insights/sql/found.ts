import { certain } from '../../certain.ts';
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
export type FoundRow = readonly [
  tag: number,
  window: number,
  one: string | null,
  two: string | null,
  ...numbers: (number | null)[],
];

/** The results of the plans of a statement, by the rows that an engine found. */
export function foundResults(plans: readonly Plan[], { parts }: Statement, rows: Iterable<FoundRow>): ScanResult[] {
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

function createFound(plan: Plan) {
  const { request, reference } = plan;
  const begun = backlogInstants({ ...plan, total: false }).instants.length; // windows with a backlog
  const sides = [
    sideOf(plan, request.dimension1, request.dimension1_values),
    sideOf(plan, request.dimension2, request.dimension2_values),
  ] as const;
  const cells = new Map<string, number>();
  const [first, second, inWindow]: [number[], number[], number[]] = [[], [], []];
  const sums = new Map<Measure, number[]>([...plan.measures].map((measure) => [measure, []]));
  const ranked = new Map<DurationName, Map<Percent, number[]>>();
  const rises = new Map<string, { readonly pair: readonly [number, number]; readonly by: number[] }>();

  function cellOf(window: number, one: number, two: number): number {
    if (one < 0 || two < 0) return -1;
    const key = `${window} ${one} ${two}`;
    const known = cells.get(key);
    if (known !== undefined) return known;
    cells.set(key, cells.size);
    first.push(one);
    second.push(two);
    inWindow.push(window);
    return cells.size - 1;
  }
  const numbersOf = ([one, two]: MemberPair): [number, number] => [sides[0].number(one), sides[1].number(two)];
  function add(measure: Measure, cell: number, value: number): void {
    const of = certain(sums.get(measure));
    of[cell] = (of[cell] ?? 0) + value;
  }
  return {
    cell: (window: number, members: MemberPair): number => cellOf(window, ...numbersOf(members)),
    add,
    rank(duration: DurationName, percent: Percent, cell: number, value: number): void {
      const of = ranked.get(duration) ?? new Map<Percent, number[]>();
      ranked.set(duration, of);
      const values = of.get(percent) ?? [];
      of.set(percent, values);
      values[cell] = value;
    },
    rise(window: number, members: MemberPair, by: number): void {
      const pair = numbersOf(members);
      if (pair[0] < 0 || pair[1] < 0) return;
      const known = rises.get(pair.join(' ')) ?? { pair, by: [] };
      rises.set(pair.join(' '), known);
      known.by[window] = (known.by[window] ?? 0) + by;
    },
    online(window: number, [one, two]: MemberPair, agent: number, seconds: number): void {
      for (const [a, b] of onlineMembers(request, reference, agent)) {
        const cell = cellOf(window, sides[0].number(one ?? textOf(a)), sides[1].number(two ?? textOf(b)));
        if (cell >= 0) add('onlineSeconds', cell, seconds);
      }
    },
    result(): ScanResult {
      for (const { pair, by } of rises.values()) {
        let open = 0;
        for (let window = 0; window < begun; window += 1) {
          open += by[window] ?? 0;
          if (open > 0) add('openCases', cellOf(window, ...pair), open);
        }
      }
      const dense = (values: readonly number[], nothing: number): Float64Array =>
        Float64Array.from({ length: cells.size }, (_, cell) => values[cell] ?? nothing);
      return {
        members: [sides[0].members, sides[1].members],
        first: Int32Array.from(first),
        second: Int32Array.from(second),
        windows: Int32Array.from(inWindow),
        measures: [...sums.keys()],
        sums: [...sums.values()].map((values) => dense(values, 0)),
        samples: new Map(),
        ranked: new Map(
          [...ranked].map(([duration, of]) => [
            duration,
            new Map([...of].map(([percent, values]) => [percent, dense(values, NOTHING)])),
          ]),
        ),
      };
    },
  };
}

const textOf = (member: Member | null): string | null => (member === null ? null : String(member));

/** The members of a dimension, numbered as they are met; below 0 is one that the report does not show. */
function sideOf({ reference }: Plan, name: Plan['request']['dimension1'], values: readonly Member[] | null) {
  const members: (Member | null)[] = name === null ? [null] : [];
  const numbers = new Map<string | null, number>(name === null ? [[null, 0]] : []);
  const wanted = values === null || values.length === 0 ? undefined : new Set(values.map(String));
  return {
    members,
    number(text: string | null): number {
      const known = numbers.get(text);
      if (known !== undefined) return known;
      const member = name === null || text === null ? null : memberOf(name, text, reference);
      const isShown = member === null || (wanted?.has(String(member)) ?? true);
      const number = isShown ? members.push(member) - 1 : -1;
      numbers.set(text, number);
      return number;
    },
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
