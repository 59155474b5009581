import { OPENINGS } from '../history/case-row.ts';
import type { FactTable } from '../history/segment.ts';
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
  const createdAt = created.seconds();
  const repliedAt = outbound.seconds();
  const { replies, creations } = firstReplies(created, outbound);
  const hits = view.locateSome('outbound', replies);
  countHits(hits, tally, 'responses');
  const sums = tally.sums('responseSeconds');
  if (sums === undefined) return;
  for (let k = 0; k < hits.count; k += 1) {
    const chosen = hits.facts[k]!;
    const waited = repliedAt[replies[chosen]!]! - createdAt[creations[chosen]!]!;
    if (waited > 0) sums[hits.cells[k]!]! += waited;
  }
}

/** The first outbound interaction of each case that an inbound one opened, beside the case's creation. */
function firstReplies(created: FactTable, outbound: FactTable): { replies: Uint32Array; creations: Uint32Array } {
  const openings = created.values();
  const rows = created.rows();
  const offsets = outbound.offsets();
  const replies = new Uint32Array(rows.length);
  const creations = new Uint32Array(rows.length);
  let count = 0;
  for (let creation = 0; creation < rows.length; creation += 1) {
    const reply = offsets[rows[creation]!]!;
    if (openings[creation] !== OPENINGS.inbound || offsets[rows[creation]! + 1] === reply) continue;
    replies[count] = reply;
    creations[count] = creation;
    count += 1;
  }
  return { replies: replies.subarray(0, count), creations: creations.subarray(0, count) };
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
