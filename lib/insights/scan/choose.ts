import type { FactKind } from '../../history/cases/case-row.ts';
import type { Column } from '../../history/columns/byte-planes.ts';
import { type AgentFacts, mayLieWithin, placesWithin, type SecondSpan } from '../../history/segments/agent-facts.ts';
import type { FactTable, Segment } from '../../history/segments/segment.ts';
import type { Axis } from './axis.ts';
import type { Hits } from './hits.ts';
import type { Selected } from './select.ts';

const SPARSE = 2; // if fewer than one row in so many counts, members are looked up only for the facts of these rows

/** The facts chosen: all, without a list; the listed ones; or listed ones that all count for the same members. */
export type Chosen = 'all' | 'listed' | 'alike';

/** The conditions for facts to be chosen. */
interface Choice {
  readonly axes: readonly [Axis, Axis];
  readonly rows: Selected;
  readonly within: SecondSpan;
  readonly ordered: boolean; // by rising index
}

/**
 * Lists the facts of selected rows as the items of `hits`, by rising index if `ordered`. Leaves out facts whose own
 * member the report does not show. If all facts are chosen it lists none.
 */
export function chooseFacts(
  facts: FactTable,
  { axes, rows: { rows, all, list }, within, ordered }: Choice,
  hits: Hits,
): Chosen {
  const [one, two] = axes;
  if (hasNone(one) || hasNone(two)) {
    hits.count = 0;
    return 'listed';
  }
  const picky = one.wanted === undefined ? two : one;
  if (picky.wanted === undefined) {
    if (!all) hits.count = factsOfRows(facts.offsets(), list, hits.items);
    return all ? 'all' : 'listed';
  }
  const { indices, wanted } = picky;
  const { first, only } = wanted;
  const known = picky.agent === undefined ? undefined : facts.ofAgent(picky.agent);
  if (first < 0) {
    hits.count = 0;
  } else if (known !== undefined) {
    hits.count = factsAt(known, within, ordered, hits.items);
    if (!all) hits.count = keepMarked(hits, facts.rows(), rows);
  } else if (!all && SPARSE * list.length < rows.length) {
    hits.count = factsOfRows(facts.offsets(), list, hits.items);
    hits.count = keepMarked(hits, indices, wanted.marks);
  } else {
    const byByte = only !== undefined && indices instanceof Uint8Array;
    hits.count = byByte ? factsOfMember(indices, first, hits.items) : factsOfMembers(indices, wanted.marks, hits.items);
    if (picky.agent !== undefined) facts.noteAgent(picky.agent, hits.items.subarray(0, hits.count));
    if (!all) hits.count = keepMarked(hits, facts.rows(), rows);
  }
  const other = picky === one ? two : one;
  return only !== undefined && other.silent === true ? 'alike' : 'listed';
}

/** Whether the report leaves out the one member that all facts are known to have on an axis. */
const hasNone = (axis: Axis): boolean => axis.same !== undefined && axis.numbers[axis.same]! < 0;

// These loops write every item, but advance only past items that they keep, so they need no branch: one that the
// processor mispredicts takes longer than all the rest.

function factsOfMembers(indices: Column, wanted: Uint8Array, items: Int32Array): number {
  let count = 0;
  for (let fact = 0; fact < indices.length; fact += 1) {
    items[count] = fact;
    count += wanted[indices[fact]!]!;
  }
  return count;
}

/** Lists the facts of a single member: searching for a byte is ten times as fast as looking up each fact. */
function factsOfMember(indices: Uint8Array, index: number, items: Int32Array): number {
  const bytes = Buffer.from(indices.buffer, indices.byteOffset, indices.length);
  let count = 0;
  for (let fact = bytes.indexOf(index); fact >= 0; fact = bytes.indexOf(index, fact + 1)) {
    items[count] = fact;
    count += 1;
  }
  return count;
}

/** Lists an agent's facts of a span of time. They are stored together by time, so `ordered` sorts them by index. */
function factsAt(known: AgentFacts, within: SecondSpan, ordered: boolean, items: Int32Array): number {
  const { first, end } = placesWithin(known, within);
  for (let at = first; at < end; at += 1) items[at - first] = known.places[at]!;
  if (ordered && end > first) items.subarray(0, end - first).sort();
  return end - first;
}

/**
 * Whether a segment may have facts of some kinds that count for an acting agent (an index). False if all facts are
 * known to be of another agent, or if the agent's facts are indexed and none of them is `within` the range.
 */
export function mayCount(segment: Segment, kinds: readonly FactKind[], agent: number, within: SecondSpan): boolean {
  if (agent < 0) return false; // no fact of the segment is of this agent
  for (const kind of kinds) {
    const facts = segment.facts(kind);
    if ((facts.sameAgent() ?? agent) !== agent) continue;
    const known = kind === 'handle' ? undefined : facts.ofAgent(agent); // an interval may begin before the range
    if (known === undefined || mayLieWithin(known, within)) return true;
  }
  return false;
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

/**
 * Lists the facts of rows. It writes four at a time and then goes back to the last one of the row, because a loop over
 * single facts would end at a number that the processor cannot predict.
 */
function factsOfRows(offsets: Column, rows: Int32Array, items: Int32Array): number {
  let count = 0;
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]!;
    const end = offsets[row + 1]!;
    let fact = offsets[row]!;
    do {
      items[count] = fact;
      items[count + 1] = fact + 1;
      items[count + 2] = fact + 2;
      items[count + 3] = fact + 3;
      fact += 4;
      count += 4;
    } while (fact < end);
    count += end - fact;
  }
  return count;
}
