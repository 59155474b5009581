import type { SessionRow } from '../../history/cases/case-row.ts';
import type { DimensionName } from '../dimensions.ts';
import { dimensionNamed } from '../dimensions.ts';
import type { Condition, Filters } from '../filters.ts';
import { FILTER_OBJECTS, memberMatches, memberName } from '../filters.ts';
import type { Reference } from '../reference.ts';
import type { Cells } from './cells.ts';
import { cellOf, settle } from './cells.ts';
import { spread } from './intervals.ts';
import { numberMember } from './members.ts';
import type { Tally } from './tally.ts';
import type { Sight } from './view.ts';

/** Adds the time online of agents (insights.md section 2 and rule 24). */
export function gatherOnline(filters: Filters | null, sight: Sight, rows: readonly SessionRow[], tally: Tally): void {
  const { cells, dimensions, lookup, reference } = sight;
  const { range } = lookup;
  for (const { agent, sessions } of rows) {
    if (!agentPasses(agent, filters, reference)) continue;
    const pairs = memberPairs(cells, dimensions, agent, reference);
    settle(cells);
    for (const [first, second] of pairs) {
      for (const { from, to } of sessions) {
        spread({ min: Math.max(from, range.min), max: Math.min(to, range.max) }, lookup, (window, seconds) => {
          const cell = cellOf(cells, first, second, window);
          tally.room(cells.size);
          tally.sums('onlineSeconds')![cell]! += seconds;
        });
      }
    }
  }
}

/** The pairs of numbered members that an agent's time counts for. */
function memberPairs(
  cells: Cells,
  [one, two]: Sight['dimensions'],
  agent: number,
  reference: Reference,
): [number, number][] {
  const numbers = (place: 0 | 1, name: DimensionName | null): number[] => {
    if (name === null) return [0];
    const members = dimensionNamed(name).online === 'agent' ? [agent] : groupsOf(reference, agent);
    return members.map((member) => numberMember(cells.dimensions[place], member)).filter((number) => number >= 0);
  };
  const seconds = numbers(1, two);
  return numbers(0, one).flatMap((first) => seconds.map((second): [number, number] => [first, second]));
}

const groupsOf = (reference: Reference, agent: number): readonly number[] => [
  ...new Set(reference.agentGroups.get(agent)),
];

function agentPasses(agent: number, filters: Filters | null, reference: Reference): boolean {
  if (filters === null || filters.length === 0) return true;
  const holds = (condition: Condition): boolean => {
    const { online } = FILTER_OBJECTS[condition.object];
    const members = online === 'agent' ? [agent] : groupsOf(reference, agent);
    const found = members.some((member) =>
      memberMatches(condition, member, () => memberName(reference, condition.object, member)),
    );
    return found === (condition.action === 'Include');
  };
  return filters.some((group) => group.every(holds));
}
