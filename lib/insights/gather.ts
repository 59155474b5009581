import { OPENINGS } from '../history/case-row.ts';
import { gatherResolves } from './gather-resolves.ts';
import type { Hits } from './hits.ts';
import type { Measure } from './measures.ts';
import type { Tally } from './tally.ts';
import type { View } from './view.ts';

/** Adds a segment's facts of some kinds to the measures that are made of them. */
export interface Gatherer {
  readonly measures: readonly Measure[]; // it runs when one of them is wanted
  gather(view: View, tally: Tally): void;
}

/** Every measure of cases, by the facts it is made of. */
export const GATHERERS: readonly Gatherer[] = [
  { measures: ['creates', 'inboundCases', 'outboundCases'], gather: gatherCreated },
  { measures: ['inbound', 'outbound', 'interactingCases'], gather: gatherInteractions },
  { measures: ['responses', 'responseSeconds'], gather: gatherResponses },
  { measures: ['handledSeconds', 'handledCases'], gather: gatherHandled },
  {
    measures: [
      'resolves',
      'resolvedCases',
      'resolutions',
      'resolutionSeconds',
      'repliesToResolve',
      'firstContacts',
      'unanswered',
      'withMacro',
    ],
    gather: gatherResolves,
  },
  counter('reopens', 'reopen'),
  counter('views', 'view'),
  counter('macros', 'macro'),
  counter('labels', 'label'),
  counter('deletes', 'delete'),
];

function counter(measure: Measure, kind: 'reopen' | 'view' | 'macro' | 'label' | 'delete'): Gatherer {
  return { measures: [measure], gather: (view, tally) => countHits(view.locate(kind), tally, measure) };
}

function countHits(hits: Hits, tally: Tally, measure: Measure): void {
  const sums = tally.sums(measure);
  if (sums === undefined) return;
  const { cells, count } = hits;
  for (let k = 0; k < count; k += 1) sums[cells[k]!]! += 1;
}

function gatherCreated(view: View, tally: Tally): void {
  const hits = view.locate('created');
  countHits(hits, tally, 'creates');
  const inbound = tally.sums('inboundCases');
  const outbound = tally.sums('outboundCases');
  if (inbound === undefined && outbound === undefined) return;
  const openings = view.segment.facts('created').values();
  for (let k = 0; k < hits.count; k += 1) {
    const opening = openings[hits.facts[k]!]!;
    const cell = hits.cells[k]!;
    if (opening === OPENINGS.inbound && inbound) inbound[cell]! += 1;
    if (opening === OPENINGS.outbound && outbound) outbound[cell]! += 1;
  }
}

function gatherInteractions(view: View, tally: Tally): void {
  const distinct = tally.wants('interactingCases');
  const inbound = distinct || tally.wants('inbound') ? view.locate('inbound', 0) : undefined;
  const outbound = distinct || tally.wants('outbound') ? view.locate('outbound', 1) : undefined;
  if (inbound) countHits(inbound, tally, 'inbound');
  if (outbound) countHits(outbound, tally, 'outbound');
  const sums = tally.sums('interactingCases');
  if (sums === undefined || inbound === undefined || outbound === undefined) return;
  const last = tally.lastCase('interacting');
  let i = 0;
  let j = 0;
  while (i < inbound.count || j < outbound.count) {
    // Both are in the order of rows: taking the lower row first keeps a case's facts together.
    const takeInbound = j === outbound.count || (i < inbound.count && inbound.rows[i]! <= outbound.rows[j]!);
    const hits = takeInbound ? inbound : outbound;
    const k = takeInbound ? i++ : j++;
    const cell = hits.cells[k]!;
    const number = view.caseNumber + hits.rows[k]!;
    if (last[cell] === number) continue;
    last[cell] = number;
    sums[cell]! += 1;
  }
}

/** The first reply of each case that an inbound interaction opened. */
function gatherResponses(view: View, tally: Tally): void {
  const created = view.segment.facts('created');
  const outbound = view.segment.facts('outbound');
  const openings = created.values();
  const createdAt = created.seconds();
  const ends = outbound.offsets.slice(0, -1); // of rows without a first reply that counts: nothing
  for (let row = 0; row < ends.length; row += 1) {
    const creation = created.offsets[row]!;
    if (created.offsets[row + 1] === creation || openings[creation] !== OPENINGS.inbound) continue;
    if (outbound.offsets[row + 1]! > ends[row]!) ends[row]! += 1;
  }
  const hits = view.locate('outbound', 0, ends);
  countHits(hits, tally, 'responses');
  const sums = tally.sums('responseSeconds');
  if (sums === undefined) return;
  const repliedAt = outbound.seconds();
  for (let k = 0; k < hits.count; k += 1) {
    const waited = repliedAt[hits.facts[k]!]! - createdAt[created.offsets[hits.rows[k]!]!]!;
    if (waited > 0) sums[hits.cells[k]!]! += waited;
  }
}

function gatherHandled(view: View, tally: Tally): void {
  for (const { hits, seconds } of view.locateHandled()) {
    const { cells, rows, facts, count } = hits;
    const sums = tally.sums('handledSeconds');
    if (sums) for (let k = 0; k < count; k += 1) sums[cells[k]!]! += seconds[facts[k]!]!;
    const cases = tally.sums('handledCases');
    if (cases === undefined) continue;
    const last = tally.lastCase('handled');
    for (let k = 0; k < count; k += 1) {
      const cell = cells[k]!;
      const number = view.caseNumber + rows[k]!;
      if (last[cell] === number) continue;
      last[cell] = number;
      cases[cell]! += 1;
    }
  }
}
