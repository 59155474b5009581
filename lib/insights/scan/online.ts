import type { SessionRow } from '../../history/cases/case-row.ts';
import type { DimensionName } from '../definitions/dimensions.ts';
import { dimensionNamed, INSTANT_MEMBERS } from '../definitions/dimensions.ts';
import { memberMatches, memberName } from '../definitions/filter-match.ts';
import type { FilterCondition, Filters } from '../definitions/filters.ts';
import { FILTER_OBJECTS } from '../definitions/filters.ts';
import type { Plan } from '../plan.ts';
import type { Reference } from '../reference.ts';
import type { ReportRequest } from '../request.ts';
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
  const { cells, lookup, reference } = context;
  const [dimension1, dimension2] = context.dimensions;
  const { range } = lookup;
  const pieces = context.clock?.lookup ?? lookup;
  for (const { agent, sessions } of rows) {
    const keepsNone = cells.dimensions[0].none === 0;
    const asked = { filters, dimension1, dimension2, keepsNone };
    const pairs = memberPairs(cells, onlineMembers(asked, reference, agent));
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

/** The pairs of member numbers that an agent's time counts for; 0 for a dimension that has none of agents. */
function memberPairs(cells: Cells, pairs: ReturnType<typeof onlineMembers>): [number, number][] {
  const number = (index: 0 | 1, member: number | null): number =>
    member === null ? 0 : numberMember(cells.dimensions[index], member);
  return pairs
    .map(([one, two]): [number, number] => [number(0, one), number(1, two)])
    .filter(([one, two]) => one >= 0 && two >= 0);
}

const groupsOf = (reference: Reference, agent: number): readonly number[] => [
  ...new Set(reference.agentGroups.get(agent)),
];

/**
 * The pairs of members that the time online of an agent counts for, null for a dimension that has none of agents; none
 * if the agent does not pass the filters. An agent without groups counts for null by them if `keepsNone`.
 */
export function onlineMembers(
  {
    filters,
    dimension1,
    dimension2,
    keepsNone = false,
  }: Pick<ReportRequest, 'filters' | 'dimension1' | 'dimension2'> & Pick<Plan, 'keepsNone'>,
  reference: Reference,
  agent: number,
): (readonly [number | null, number | null])[] {
  if (!agentPasses(agent, filters, reference)) return [];
  const membersOf = (name: DimensionName | null): readonly (number | null)[] => {
    const online = onlineOf(name);
    if (online === 'agent') return [agent];
    if (online !== 'group') return [null];
    const groups = groupsOf(reference, agent);
    return groups.length === 0 && keepsNone ? [null] : groups;
  };
  return membersOf(dimension1).flatMap((one) => membersOf(dimension2).map((two) => [one, two] as const));
}

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
