import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { compareEvents } from '../../../lib/history/case-history.ts';
import type { CaseEvent } from '../../../lib/history/event.ts';
import { decodeLeaf, type Entry, encodeLeaf } from '../../../lib/history/ledger.ts';
import { idJoiner, splitId } from '../../../lib/history/ledger-ids.ts';
import { bySubject } from '../../../lib/history/subject.ts';
import { arbitraryCases, arbitrarySessions } from '../../support/arbitrary-history.ts';

const ordered = (entry: Entry): Entry => ({ ...entry, events: [...entry.events].sort(compareEvents) });

describe('ledger', () => {
  it('gives back every event of every case and agent as it was', () => {
    const entries = fc.tuple(arbitraryCases, arbitrarySessions).map(([cases, sessions]): Entry[] => {
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
    );
  });

  it('takes any id apart and puts it together again', () => {
    const id = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.string({ minLength: 1, unit: 'binary' }),
      fc.uuid(),
      fc.tuple(fc.string(), fc.nat()).map(([text, number]) => text + number),
      fc.tuple(fc.string(), fc.stringMatching(/^[0-9a-f]{12,40}$/)).map(([text, hex]) => text + hex),
      fc.constantFrom('0', '007', 'c7:7', '12345678901234567890', '\u0000', 'c\u00007'),
    );
    fc.assert(
      fc.property(id, fc.constantFrom('7', '', 'c', 'INC1'), (text, owner) => {
        const { template, numbers } = splitId(text, owner);
        expect(idJoiner(template, owner)(numbers)).toBe(text);
      }),
    );
  });

  it('takes at most 16 bytes an event where ids are running numbers', () => {
    let number = 1;
    const entries = Array.from({ length: 150 }, (_, key): Entry => {
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
});
