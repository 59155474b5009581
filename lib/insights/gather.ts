import { type FactKind, OPENINGS } from '../history/case-row.ts';
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
  return { measures: [measure], gather: (view, tally) => countFacts(view, kind, tally, measure) };
}

/** Counts facts where nothing but their number is asked for. */
function countFacts(view: View, kind: FactKind, tally: Tally, measure: Measure): void {
  if (!view.count(kind, () => tally.sums(measure)!)) countHits(view.locate(kind), tally, measure);
}

function countHits(hits: Hits, tally: Tally, measure: Measure): void {
  const sums = tally.sums(measure);
  if (sums === undefined) return;
  const { cells, count } = hits;
  for (let k = 0; k < count; k += 1) sums[cells[k]!]! += 1;
}

function gatherCreated(view: View, tally: Tally): void {
  if (!tally.wants('inboundCases') && !tally.wants('outboundCases')) {
    countFacts(view, 'created', tally, 'creates');
    return;
  }
  const hits = view.locate('created');
  countHits(hits, tally, 'creates');
  const inbound = tally.sums('inboundCases');
  const outbound = tally.sums('outboundCases');
  const openings = view.segment.facts('created').values();
  for (let k = 0; k < hits.count; k += 1) {
    const opening = openings[hits.items[k]!]!;
    const cell = hits.cells[k]!;
    if (opening === OPENINGS.inbound && inbound) inbound[cell]! += 1;
    if (opening === OPENINGS.outbound && outbound) outbound[cell]! += 1;
  }
}

function gatherInteractions(view: View, tally: Tally): void {
  if (!tally.wants('interactingCases')) {
    if (tally.wants('inbound')) countFacts(view, 'inbound', tally, 'inbound');
    if (tally.wants('outbound')) countFacts(view, 'outbound', tally, 'outbound');
    return;
  }
  const inbound = view.locate('inbound', 0);
  const outbound = view.locate('outbound', 1);
  countHits(inbound, tally, 'inbound');
  countHits(outbound, tally, 'outbound');
  const sums = tally.sums('interactingCases')!;
  const last = tally.lastCase('interacting');
  for (let row = 0; row < view.selected.length; row += 1) {
    const number = view.caseNumber + row;
    countCase(inbound, row, number, last, sums);
    countCase(outbound, row, number, last, sums);
  }
}

/** Counts a case in each cell that its hits are the first of it to meet. */
function countCase({ offsets, cells }: Hits, row: number, number: number, last: Int32Array, sums: Float64Array): void {
  const end = offsets[row + 1]!;
  for (let k = offsets[row]!; k < end; k += 1) {
    const cell = cells[k]!;
    if (last[cell] === number) continue;
    last[cell] = number;
    sums[cell]! += 1;
  }
}

/** The first reply of each case that an inbound interaction opened. */
function gatherResponses(view: View, tally: Tally): void {
  const created = view.segment.facts('created');
  const outbound = view.segment.facts('outbound');
  const replies = firstReplies(view.selected, created, outbound);
  const hits = view.locateSome('outbound', replies.offsets, replies.facts);
  countHits(hits, tally, 'responses');
  const sums = tally.sums('responseSeconds');
  if (sums === undefined) return;
  const creations = created.offsets();
  const createdAt = created.seconds();
  const repliedAt = outbound.seconds();
  for (let row = 0; row < view.selected.length; row += 1) {
    const end = hits.offsets[row + 1]!;
    for (let k = hits.offsets[row]!; k < end; k += 1) {
      const waited = repliedAt[replies.facts[hits.items[k]!]!]! - createdAt[creations[row]!]!;
      if (waited > 0) sums[hits.cells[k]!]! += waited;
    }
  }
}

/** The first outbound interaction of each case that an inbound one opened. */
function firstReplies(selected: Uint8Array, created: FactTable, outbound: FactTable) {
  const openings = created.values();
  const creations = created.offsets();
  const outbounds = outbound.offsets();
  const offsets = new Uint32Array(selected.length + 1);
  const facts = new Int32Array(selected.length);
  let count = 0;
  for (let row = 0; row < selected.length; row += 1) {
    const creation = creations[row]!;
    const inbound = creation < creations[row + 1]! && openings[creation] === OPENINGS.inbound;
    if (inbound && selected[row] === 1 && outbounds[row]! < outbounds[row + 1]!) {
      facts[count] = outbounds[row]!;
      count += 1;
    }
    offsets[row + 1] = count;
  }
  return { offsets, facts: facts.subarray(0, count) };
}

function gatherHandled(view: View, tally: Tally): void {
  for (const { hits, seconds } of view.locateHandled()) {
    const { cells, items, count } = hits;
    const sums = tally.sums('handledSeconds');
    if (sums) for (let k = 0; k < count; k += 1) sums[cells[k]!]! += seconds[items[k]!]!;
    const cases = tally.sums('handledCases');
    if (cases === undefined) continue;
    const last = tally.lastCase('handled');
    for (let row = 0; row < view.selected.length; row += 1) countCase(hits, row, view.caseNumber + row, last, cases);
  }
}
