import { type Column, columnFor } from './byte-planes.ts';

/**
 * Mostly the case's assignee acts, and an agent mostly acts in one group. So an index is written as a code: 0 if a
 * guess from earlier values is right, else index + 1. In a history where the assignee acts in 7 of 10 facts, codes take
 * a third of the bytes of plain indices.
 */
const toCode = (index: number, guess: number): number => (index === guess ? 0 : index + 1);

/** Room for the group in which each agent last acted, by the agent's index; 0 (no group) at first. */
const groupGuesses = (agents: number): Int32Array => new Int32Array(agents + 1);

/** The assigned agent and group of each row, as indices: the first guesses. */
export interface Assigned {
  readonly agents: Column;
  readonly groups: Column;
}

/** Returns the index that a code holds; undefined if the code says that the guess is right. */
export const indexIn = (code: number | undefined): number | undefined => (code ? code - 1 : undefined);

/**
 * Decodes the acting agents of facts, as indices up to `last`. The guess is the assigned agent of the fact's row. A
 * processor cannot predict whether the guess is right, so there is no branch: all bits of `guessed` are set if it is.
 */
export function readAgents(codes: Column, rows: Column, { agents: assigned }: Assigned, last: number): Column {
  const agents = columnFor(last + 1, codes.length);
  for (let fact = 0; fact < codes.length; fact += 1) {
    const index = codes[fact]! - 1;
    const guessed = index >> 31;
    agents[fact] = (index & ~guessed) | (assigned[rows[fact]!]! & guessed);
  }
  return agents;
}

/**
 * Decodes the groups in which agents acted, as indices up to `last`. The guess is the case's group if its assigned
 * agent acts; for another agent it is the group in which this agent last acted.
 */
export function readGroups(
  codes: Column,
  { rows, agents }: { readonly rows: Column; readonly agents: Column },
  assigned: Assigned,
  last: { readonly agent: number; readonly group: number },
): Column {
  const groups = columnFor(last.group + 1, codes.length);
  const guesses = groupGuesses(last.agent);
  for (let fact = 0; fact < codes.length; fact += 1) {
    const row = rows[fact]!;
    const agent = agents[fact]!;
    const code = codes[fact]!;
    const guess = agent === assigned.agents[row]! ? assigned.groups[row]! : guesses[agent]!;
    const group = code === 0 ? guess : code - 1;
    groups[fact] = group;
    guesses[agent] = group;
  }
  return groups;
}

/**
 * Replaces the indices of acting agents, up to `last`, and of groups by codes, in the same columns. `counts` says how
 * many facts each row has.
 */
export function encodeActors(
  { agents, groups }: { readonly agents: Column; readonly groups: Column },
  counts: Int32Array,
  assigned: Assigned,
  last: number,
): void {
  const guesses = groupGuesses(last);
  let fact = 0;
  for (let row = 0; row < counts.length; row += 1) {
    const assignedAgent = assigned.agents[row]!;
    for (const end = fact + counts[row]!; fact < end; fact += 1) {
      const [agent, group] = [agents[fact]!, groups[fact]!];
      groups[fact] = toCode(group, agent === assignedAgent ? assigned.groups[row]! : guesses[agent]!);
      agents[fact] = toCode(agent, assignedAgent);
      guesses[agent] = group;
    }
  }
}
