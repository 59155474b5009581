import { certain } from '../../certain.ts';
import { type Instant, isMark } from '../../history/cases/event.ts';
import { caseSubject, type Subject } from '../../history/cases/subject.ts';
import type { HistoryContext } from '../../history/commits/history-context.ts';
import type { Incoming } from '../../history/incoming.ts';
import type { Group } from '../event-groups.ts';
import type { KnownHolder } from '../formats/mapped.ts';
import type { DigestedCases, WholeCases } from '../formats/row.ts';
import { type Digest, gatherCases, type Shape } from './known-cases.ts';
import { beginKnown, readKnown, saveKnown } from './known-store.ts';

/** Cases that came as in the last import: their rows were not read again. */
export interface KnownCounts {
  readonly cases: number;
  readonly types: Readonly<Record<string, number>>; // their events, which are unchanged
}

/** Remembers what rows each case of an import came with, for the next one. */
export interface Remembering {
  /** The import begins to write; its moment is that of its versions. */
  begin(moment: Instant): Promise<void>;
  /** Notes the digests of cases that are about to be merged, and counts those that are known; returns the latter. */
  see(batch: WholeCases): readonly Subject[];
  /** Keeps the cases of a group that was merged, save those that the ledger holds otherwise. */
  keep(group: Group, otherwise: ReadonlySet<Subject>): void;
  counts(): KnownCounts;
  save(): Promise<void>;
}

interface RememberOptions {
  readonly source: string;
  readonly asOf: Instant | null; // of the export
  readonly wantsLast: boolean; // when the latest of the cases changed
  readonly salt: string; // what of the site decides what rows come to
}

/** Reads what is known of a source's cases into `holder`. */
export async function openRemembering(
  context: HistoryContext,
  holder: KnownHolder,
  { source, asOf, wantsLast, salt }: RememberOptions,
): Promise<Remembering> {
  const before = await readKnown(context, source, asOf);
  holder.cases = before.cases;
  holder.salt = salt;
  holder.wantsLast = wantsLast;
  const gathered = gatherCases(before.shapes);
  const waiting = new Map<Subject, Digest>();
  const types: Record<string, number> = {};
  const shapeOf = newShapes();
  let cases = 0;
  let moment: Instant = 0;

  function seeKnown({ keys, high, low, shape }: DigestedCases): Subject[] {
    return keys.map((key, place) => {
      const number = certain(shape[place]);
      gathered.addAgain({ high: certain(high[place]), low: certain(low[place]) }, number);
      cases += 1;
      for (const [type, count] of Object.entries(certain(gathered.shapes[number])))
        types[type] = (types[type] ?? 0) + count;
      return caseSubject(key);
    });
  }

  return {
    begin: (at) => {
      moment = at;
      return beginKnown(context, source, at);
    },
    see({ digests, known }) {
      if (digests !== undefined)
        for (const [place, key] of digests.keys.entries())
          waiting.set(caseSubject(key), { high: certain(digests.high[place]), low: certain(digests.low[place]) });
      return known === undefined ? [] : seeKnown(known);
    },
    keep(group, otherwise) {
      for (const [subject, list] of group) {
        const digest = waiting.get(subject);
        waiting.delete(subject);
        if (digest !== undefined && !otherwise.has(subject)) gathered.add(digest, shapeOf(list));
      }
    },
    counts: () => ({ cases, types }),
    save: () => saveKnown(context, source, { cases: gathered.pack(), shapes: gathered.shapes }, { moment, asOf }),
  };
}

const SHAPES = 10_000; // that are kept

/** Counts events by type; the same counts are the same object as a rule, so that few are looked at twice. */
function newShapes(): (list: readonly Incoming[]) => Shape {
  const known = new Map<string, Shape>();
  return (list) => {
    let types = '';
    for (const { event } of list) if (!isMark(event)) types += `${event.type} `;
    const before = known.get(types);
    if (before !== undefined) return before;
    const shape: Record<string, number> = {};
    for (const { event } of list) if (!isMark(event)) shape[event.type] = (shape[event.type] ?? 0) + 1;
    if (known.size < SHAPES) known.set(types, shape);
    return shape;
  };
}
