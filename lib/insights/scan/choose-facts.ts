import type { FactKind } from '../../history/cases/case-row.ts';
import type { SecondSpan } from '../../history/segments/agent-facts.ts';
import type { Column } from '../../history/segments/byte-planes.ts';
import type { FactTable, Segment } from '../../history/segments/segment.ts';
import type { Axis } from './axis.ts';
import type { Hits } from './hits.ts';
import type { SelectedRows } from './select-cases.ts';

/** A faster way to the facts of the one acting agent, an index, that a report shows. */
export interface AgentSearch {
  /** Lists an agent's facts in a span of time as `items`, rising; returns how many. */
  list(facts: FactTable, agent: number, within: SecondSpan, items: Int32Array): number;
  /** False only if a segment surely has no facts of some kinds by an agent within a span. */
  mayHave(segment: Segment, kinds: readonly FactKind[], agent: number, within: SecondSpan): boolean;
}

/** The conditions for facts to be chosen. */
interface FactConditions {
  readonly axes: readonly [Axis, Axis];
  readonly rows: SelectedRows;
  readonly within: SecondSpan; // facts outside of it may be left out
  readonly agentSearch: AgentSearch | undefined;
  readonly only: Int32Array | undefined; // by row: the one fact that can be chosen, below 0 for none; any without it
}

/**
 * Lists the facts of selected rows as the items of `hits`, rising. Leaves out facts whose own member the report does
 * not show. Returns false, and lists none, if all facts are chosen.
 */
export function chooseFacts(
  facts: FactTable,
  { axes, rows, within, agentSearch, only }: FactConditions,
  hits: Hits,
): boolean {
  const [one, two] = axes;
  if (hasNone(one) || hasNone(two)) return true;
  const chosen = one.wanted === undefined ? two : one;
  const { wanted, agent } = chosen;
  if (wanted !== undefined && wanted.first < 0) return true;
  if (agent !== undefined && agentSearch !== undefined && only === undefined) {
    hits.count = agentSearch.list(facts, agent, within, hits.items);
    if (!rows.all) hits.count = keepMarked(hits, facts.rows(), rows.rows);
    return true;
  }
  const { indices } = chosen;
  if (only !== undefined) hits.count = listOnly(only, rows.rows, hits.items);
  else if (!rows.all) hits.count = factsOfRows(facts.offsets(), rows.list, hits.items);
  else if (wanted === undefined) return false;
  else {
    hits.count = factsOfMembers(indices, wanted.marks, hits.items);
    return true;
  }
  if (wanted !== undefined) hits.count = keepMarked(hits, indices, wanted.marks);
  return true;
}

/** Whether the report leaves out the one member that all facts are known to have on an axis. */
const hasNone = (axis: Axis): boolean => axis.same !== undefined && axis.numbers[axis.same]! < 0;

// These loops write every item, but advance only past items that they keep, so they need no branch: one that the
// processor mispredicts takes longer than all the rest.

function listOnly(facts: Int32Array, rows: Uint8Array, items: Int32Array): number {
  let count = 0;
  for (let row = 0; row < rows.length; row += 1) {
    const fact = facts[row]!;
    items[count] = fact;
    count += rows[row]! & ~(fact >> 31);
  }
  return count;
}

function factsOfMembers(indices: Column, wanted: Uint8Array, items: Int32Array): number {
  let count = 0;
  for (let fact = 0; fact < indices.length; fact += 1) {
    items[count] = fact;
    count += wanted[indices[fact]!]!;
  }
  return count;
}

/** Keeps the items whose value in `of` is marked; returns how many. */
function keepMarked({ items, count }: Hits, of: Column, marks: Uint8Array): number {
  let kept = 0;
  for (let k = 0; k < count; k += 1) {
    const fact = items[k]!;
    items[kept] = fact;
    kept += marks[of[fact]!]!;
  }
  return kept;
}

function factsOfRows(offsets: Column, rows: Int32Array, items: Int32Array): number {
  let count = 0;
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]!;
    const end = offsets[row + 1]!;
    for (let fact = offsets[row]!; fact < end; fact += 1) {
      items[count] = fact;
      count += 1;
    }
  }
  return count;
}
