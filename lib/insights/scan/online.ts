import type { SessionRow } from '../../history/cases/case-row.ts';
import type { DimensionName } from '../definitions/dimensions.ts';
import { dimensionNamed, INSTANT_MEMBERS } from '../definitions/dimensions.ts';
import { memberMatches, memberName } from '../definitions/filter-match.ts';
import type { FilterCondition, Filters } from '../definitions/filters.ts';
import { FILTER_OBJECTS } from '../definitions/filters.ts';
import type { Reference } from '../reference.ts';
import type { Cells } from './cells.ts';
import { cellOf, growPairTable } from './cells.ts';
import { eachWindowOverlap } from './intervals.ts';
import { numberMember } from './members.ts';
import type { Tally } from './tally.ts';
import type { ScanContext } from './view.ts';

/** Adds the time online of agents (docs/rules.md 24). */
export function gatherOnline(
  filters: Filters | null,
  context: ScanContext,
  rows: readonly SessionRow[],
  tally: Tally,
): void {
  const { cells, dimensions, lookup, reference } = context;
  const { range } = lookup;
  const pieces = context.clock?.lookup ?? lookup;
  for (const { agent, sessions } of rows) {
    if (!agentPasses(agent, filters, reference)) continue;
    const pairs = memberPairs(cells, dimensions, agent, reference);
    growPairTable(cells);
    for (const [first, second] of pairs) {
      for (const { from, to } of sessions) {
        eachWindowOverlap(
          { min: Math.max(from, range.min), max: Math.min(to, range.max) },
          pieces,
          (piece, seconds) => {
            const cell = cellAt(context, [first, second], piece);
            if (cell < 0) return;
            tally.sums('onlineSeconds')[cell]! += seconds;
          },
        );
      }
    }
  }
}

/** The cell of a pair of members in a piece of time, which has the members of dimensions of instants; −1 for none. */
function cellAt({ cells, clock, dimensions }: ScanContext, pair: readonly [number, number], piece: number): number {
  if (clock === undefined) return cellOf(cells, pair[0], pair[1], piece);
  const numberAt = (index: 0 | 1): number => {
    const online = onlineOf(dimensions[index]);
    if (online !== 'hour' && online !== 'weekday') return pair[index];
    const member = INSTANT_MEMBERS[online][clock.parts[online][piece]! - 1]!;
    return numberMember(cells.dimensions[index], member);
  };
  const [first, second] = [numberAt(0), numberAt(1)];
  growPairTable(cells);
  return Math.min(first, second) < 0 ? -1 : cellOf(cells, first, second, clock.windows[piece]!);
}

const onlineOf = (name: DimensionName | null) => (name === null ? null : dimensionNamed(name).online);

/** The pairs of member numbers that an agent's time counts for. */
function memberPairs(
  cells: Cells,
  [one, two]: ScanContext['dimensions'],
  agent: number,
  reference: Reference,
): [number, number][] {
  const numbers = (index: 0 | 1, name: DimensionName | null): number[] => {
    const online = onlineOf(name);
    if (online !== 'agent' && online !== 'group') return [0]; // no dimension, or one of instants
    const members = online === 'agent' ? [agent] : groupsOf(reference, agent);
    return members.map((member) => numberMember(cells.dimensions[index], member)).filter((number) => number >= 0);
  };
  const seconds = numbers(1, two);
  return numbers(0, one).flatMap((first) => seconds.map((second): [number, number] => [first, second]));
}

const groupsOf = (reference: Reference, agent: number): readonly number[] => [
  ...new Set(reference.agentGroups.get(agent)),
];

function agentPasses(agent: number, filters: Filters | null, reference: Reference): boolean {
  if (filters === null || filters.length === 0) return true;
  const holds = (condition: FilterCondition): boolean => {
    const { online } = FILTER_OBJECTS[condition.object];
    const members = online === 'agent' ? [agent] : groupsOf(reference, agent);
    const found = members.some((member) =>
      memberMatches(condition, member, () => memberName(reference, condition.object, member)),
    );
    return found === (condition.action === 'Include');
  };
  return filters.some((group) => group.every(holds));
}
