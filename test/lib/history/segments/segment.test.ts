import * as fc from 'fast-check';
import { caseHistory } from '../../../../lib/history/cases/case-history.ts';
import type { CaseRow } from '../../../../lib/history/cases/case-row.ts';
import type { CaseEvent } from '../../../../lib/history/cases/event.ts';
import { caseRow } from '../../../../lib/history/cases/facts.ts';
import { compareRows } from '../../../../lib/history/segments/merged-rows.ts';
import { rowWeight } from '../../../../lib/history/segments/row-weight.ts';
import { openSegment } from '../../../../lib/history/segments/segment.ts';
import { encodePicked, encodeSegment } from '../../../../lib/history/segments/segment-encode.ts';
import { tries } from '../../../support/generators/depth.ts';
import { arbitraryCases } from '../../../support/generators/histories.ts';
import { caseRows } from '../../../support/generators/report-of.ts';
import { segmentRows } from '../../../support/generators/segment-rows.ts';

const FAR = 5_000_000_000 * 1_000_000; // so much later no times fit 32 bits

function later(event: CaseEvent): CaseEvent {
  const at = event.at + FAR;
  if (event.type !== 'case.handled') return { ...event, at };
  return { ...event, at, from: event.from + FAR, to: event.to + FAR };
}

describe('a segment', () => {
  it('gives back the rows it was made of', () => {
    fc.assert(
      fc.property(arbitraryCases, (cases) => {
        const rows = caseRows(cases);
        expect(segmentRows(openSegment(encodeSegment(rows)))).toEqual([...rows].sort(compareRows));
      }),
      { numRuns: tries(100) },
    );
  });

  it('has the same bytes in whatever order its rows come', () => {
    fc.assert(
      fc.property(arbitraryCases, (cases) => {
        const rows = caseRows(cases);
        expect(encodeSegment([...rows].reverse())).toEqual(encodeSegment(rows));
      }),
      { numRuns: tries(100) },
    );
  });

  it('has the same bytes when its rows are picked from others as when they are encoded afresh', () => {
    const picking = fc.array(fc.integer({ min: -1, max: 3 }), { minLength: 5, maxLength: 5 }); // −1: the row stays behind
    fc.assert(
      fc.property(arbitraryCases, picking, fc.boolean(), (cases, places, far) => {
        const all = [...cases].map(([key, list], at) => [key, far && at === 1 ? list.map(later) : list] as const);
        const rows = caseRows(new Map(all));
        const placeOf = (row: CaseRow): number => places[rows.indexOf(row)]!;
        const picked = [0, 1, 2, 3].flatMap((place) => {
          const table = openSegment(encodeSegment(rows.filter((row) => placeOf(row) === place || placeOf(row) < 0)));
          const kept = new Set(rows.filter((row) => placeOf(row) === place).map(({ key }) => key));
          return [{ table, rows: [...table.keys().keys()].filter((row) => kept.has(table.keys()[row]!)) }];
        });
        expect(encodePicked(picked)).toEqual(encodeSegment(rows.filter((row) => placeOf(row) >= 0)));
      }),
      { numRuns: tries(100) },
    );
  });

  it('holds no rows and still opens', () => {
    expect(segmentRows(openSegment(encodeSegment([])))).toEqual([]);
  });

  it('keeps members and times at the ends of their ranges', () => {
    const events: CaseEvent[] = [
      { type: 'case.created', id: 'a', at: 0, case: 'x', channel: 0 },
      { type: 'interaction', id: 'b', at: 7_258_118_399_000_000, case: 'x', direction: 'outbound', agent: 2 ** 53 - 1 },
    ];
    const rows = [caseRow('x', caseHistory(events))];
    expect(segmentRows(openSegment(encodeSegment(rows)))).toEqual(rows);
  });

  it('weighs a row no less than it takes, once there are many', () => {
    const rows = Array.from({ length: 500 }, (_, i) =>
      caseRow(
        `case ${(i * 7919) % 10_007}`,
        caseHistory(
          Array.from({ length: 12 }, (_, j): CaseEvent => {
            const at = 1_700_000_000_000_000 + i * 977_000_000 + ((i * 31 + j * 7919) % 86_400) * 1_000_000;
            return { type: 'interaction', direction: 'inbound', id: `${j}`, at, case: `${i}`, agent: (i * j) % 211 };
          }),
        ),
      ),
    );
    const weight = rows.reduce((sum, row) => sum + rowWeight(row), 0);
    expect(encodeSegment(rows).length).toBeLessThan(weight);
  });

  it('keeps what is worked out of it, once, and counts its bytes among those decoded', () => {
    const opened = openSegment(encodeSegment([]));
    const before = opened.decodedBytes();
    const made: unknown[] = [];
    const work = (segment: unknown) => {
      made.push(segment);
      return new Int32Array(1_000);
    };
    const first = opened.kept(work);
    expect(opened.kept(work)).toBe(first);
    expect(opened.kept(() => new Int32Array(10))).toHaveLength(10);
    expect(made).toEqual([opened]);
    expect(opened.decodedBytes() - before).toBe(4_040);
    opened.kept(() => ({ rows: new Int32Array(10), seconds: new Float64Array(10) }));
    expect(opened.decodedBytes() - before).toBeGreaterThanOrEqual(4_160);
  });

  it('knows where the facts of the last agents noted are, and forgets those of others', () => {
    const events: CaseEvent[] = [3, 1, 2].map((at) => {
      return { type: 'interaction', direction: 'outbound', id: `${at}`, at: at * 1_000_000, case: 'x', agent: 7 };
    });
    const opened = openSegment(encodeSegment([caseRow('x', caseHistory(events))]));
    const facts = opened.facts('outbound');
    facts.seconds();
    expect(facts.ofAgent(1)).toBeUndefined();
    const before = opened.decodedBytes();
    facts.noteAgent(1, Int32Array.of(0, 1, 2));
    expect(facts.ofAgent(1)?.places).toEqual(Uint16Array.of(0, 1, 2));
    const one = opened.decodedBytes() - before;
    expect(one).toBeGreaterThan(0);
    for (let agent = 2; agent <= 40; agent += 1) facts.noteAgent(agent, Int32Array.of(0, 1, 2));
    expect([facts.ofAgent(1), facts.ofAgent(24)]).toEqual([undefined, undefined]);
    expect(facts.ofAgent(25)?.places).toHaveLength(3);
    expect(opened.decodedBytes() - before).toBe(16 * one);
  });
});
