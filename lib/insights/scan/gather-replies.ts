import { waitBegins } from './derived.ts';
import { addSample, roomForSamples } from './samples.ts';
import type { Tally } from './tally.ts';
import { locateFacts, type View } from './view.ts';

/** Adds the waits that end with a reply, at the reply. */
export function gatherReplies(view: View, tally: Tally): void {
  const begins = view.segment.kept(waitBegins);
  const { facts, hits, whole } = locateFacts(view, 'outbound');
  const [seconds, rows] = [facts.seconds(), facts.rows()];
  const { elapsed } = view;
  const samples = tally.samples('reply_time');
  const [counts, sums] = [tally.sums('repliesToWaits'), tally.sums('waitSeconds')];
  const add = (cell: number, reply: number): void => {
    const begin = begins[reply]!;
    if (begin < 0) return;
    if (counts) counts[cell]! += 1;
    const waited = elapsed === undefined ? seconds[reply]! - begin : elapsed(rows[reply]!, begin, seconds[reply]!);
    if (sums) sums[cell]! += waited;
    if (samples) addSample(samples, cell, waited);
  };
  if (samples) roomForSamples(samples, hits.count);
  for (let k = 0; k < hits.count; k += 1) add(hits.cells[k]!, hits.items[k]!);
  if (whole === undefined) return;
  const offsets = facts.offsets();
  for (let k = 0; k < whole.count; k += 1) {
    const row = whole.items[k]!;
    const end = offsets[row + 1]!;
    if (samples) roomForSamples(samples, end - offsets[row]!);
    for (let reply = offsets[row]!; reply < end; reply += 1) add(whole.cells[k]!, reply);
  }
}
