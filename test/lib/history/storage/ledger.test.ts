import * as fc from 'fast-check';
import { compareEvents } from '../../../../lib/history/cases/case-history.ts';
import type { CaseEvent } from '../../../../lib/history/cases/event.ts';
import { markOf, mergeVersions } from '../../../../lib/history/cases/versions.ts';
import { decodeLeaf, encodeLeaf, type LedgerEntry } from '../../../../lib/history/storage/ledger.ts';
import { idJoiner, splitId } from '../../../../lib/history/storage/ledger-ids.ts';
import { runsOf } from '../../../../lib/history/storage/source-runs.ts';
import { arbitraryVersions } from '../../../support/generators/arbitrary-versions.ts';
import { bySubject } from '../../../support/generators/by-subject.ts';
import { tries } from '../../../support/generators/depth.ts';
import { arbitraryCases, arbitrarySessions } from '../../../support/generators/histories.ts';

const ordered = (entry: LedgerEntry): LedgerEntry => ({ ...entry, events: [...entry.events].sort(compareEvents) });

/** Ids that hold an instant, as a CSV's rows get them. */
const TIMED = [
  'log:o3a800-12.status',
  'log:o3a800.000001-12.rated',
  'log:o3a800.11',
  'INC1o3a800\u0001x',
  'o3a800o3a800',
];

describe('ledger', () => {
  it('gives back every event of every case and agent as it was', () => {
    const entries = fc.tuple(arbitraryCases, arbitrarySessions).map(([cases, sessions]): LedgerEntry[] => {
      const events = [...[...cases.values()].flat(), ...sessions];
      return [...bySubject(events)].map(([subject, events]) => ({ subject, events }));
    });
    fc.assert(
      fc.property(entries, (given) => {
        const bytes = encodeLeaf(given);
        expect(decodeLeaf(bytes)).toEqual(given.map(ordered));
        expect(encodeLeaf(decodeLeaf(bytes))).toEqual(bytes);
        for (const entry of given) expect(decodeLeaf(bytes, new Set([entry.subject]))).toEqual([ordered(entry)]);
        expect(decodeLeaf(bytes, new Set(['c?']))).toEqual([]);
      }),
      { numRuns: tries(100) },
    );
  });

  it('gives back every version and mark of every source', () => {
    const entries = arbitraryVersions.map((events): LedgerEntry[] =>
      [...bySubject(events)].map(([subject, list]) => ({ subject, events: mergeVersions([], list).events })),
    );
    const inRuns = ({ subject, events }: LedgerEntry): LedgerEntry => {
      const all = runsOf(events).flatMap((run) =>
        run.events.length === 0 ? [markOf(subject, run.source!, run.asOf!)] : run.events,
      );
      return { subject, events: all };
    };
    fc.assert(
      fc.property(entries, (given) => {
        const bytes = encodeLeaf(given);
        expect(decodeLeaf(bytes)).toEqual(given.map(inRuns));
        expect(encodeLeaf(decodeLeaf(bytes))).toEqual(bytes);
        for (const entry of given) expect(decodeLeaf(bytes, new Set([entry.subject]))).toEqual([inRuns(entry)]);
      }),
      { numRuns: tries(100) },
    );
  });

  it('takes any id apart and puts it together again', () => {
    const id = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.string({ minLength: 1, unit: 'binary' }),
      fc.uuid(),
      fc.tuple(fc.string(), fc.nat()).map(([text, number]) => text + number),
      fc.tuple(fc.string(), fc.stringMatching(/^[0-9a-f]{12,40}$/)).map(([text, hex]) => text + hex),
      fc.constantFrom('0', '007', 'c7:7', '12345678901234567890', '\u0000', 'c\u00007', ...TIMED),
    );
    const instant = fc.constantFrom(0, 1_456_704_000_000_000, 1_456_704_000_000_001);
    fc.assert(
      fc.property(id, fc.constantFrom('7', '', 'c', 'INC1'), instant, (text, owner, at) => {
        const { template, numbers } = splitId(text, owner, at);
        expect(idJoiner(template)(owner, at, numbers)).toBe(text);
      }),
      { numRuns: tries(100) },
    );
  });

  it('takes at most 16 bytes an event where ids are running numbers', () => {
    let number = 1;
    const entries = Array.from({ length: 150 }, (_, key): LedgerEntry => {
      const events = Array.from({ length: 13 }, (_, step): CaseEvent => {
        number += 1 + ((number * 7919) % 1_000);
        const at = (1_760_000_000 + key * 977 + step * ((number % 5_000) + 60)) * 1_000_000;
        const base = { id: `src:${number}`, at, case: String(key), agent: 1 + (number % 40), group: 1 + (number % 7) };
        return step === 0
          ? { ...base, type: 'case.created', channel: 1, priority: 1 + (key % 5), custom_fields: { 12: 'gold' } }
          : { ...base, type: 'interaction', direction: number % 2 === 0 ? 'inbound' : 'outbound' };
      });
      return { subject: `c${key}`, events };
    });
    expect(encodeLeaf(entries).length / (150 * 13)).toBeLessThan(16);
  });

  it('keeps no text of an id that holds the instant of its event', () => {
    const events = Array.from({ length: 500 }, (_, step): CaseEvent => {
      const at = (1_456_704_000 + step * step) * 1_000_000;
      return { type: 'note', id: `log:${Math.floor(at / 1_000_000).toString(36)}-12.note`, at, case: '7' };
    });
    const timeless = events.map((event): CaseEvent => ({ ...event, id: 'log:-12.note' }));
    const size = (all: readonly CaseEvent[]): number => encodeLeaf([{ subject: 'c7', events: all }]).length;
    expect(size(events)).toBeLessThan(size(timeless) + 10);
  });
});
