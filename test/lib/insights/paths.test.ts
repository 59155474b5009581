import * as fc from 'fast-check';
import type { HistoryEvent } from '../../../lib/history/cases/event.ts';
import { FIELD_NAMES } from '../../../lib/insights/definitions/fields.ts';
import { tries } from '../../support/generators/depth.ts';
import { arbitraryExample } from '../../support/generators/requests.ts';
import { engineReport } from '../../support/oracle/engine-report.ts';
import type { Example, Row } from '../../support/oracle/example.ts';

const START = Date.parse('2026-01-01T00:00:00Z') / 1000;
const examples = fc.sample(arbitraryExample, { numRuns: tries(240, 1 / 8), seed: 22 });

describe('the ways through a scan', () => {
  it('give the same rows whether every pair of members has a block of cells or none', () => {
    for (const example of examples) {
      expect(engineReport(example, { memory: { blocks: 0, loose: 64_000_000, samples: 64_000_000 } })).toEqual(
        engineReport(example),
      );
    }
  });

  it('give a field the same numbers alone as with all others', () => {
    let numbers = 0;
    for (const example of examples.slice(0, tries(45, 1 / 4))) {
      const all = rowsOf(example, FIELD_NAMES);
      for (const [place, field] of FIELD_NAMES.entries()) {
        const others = new Map(all.map((row) => [membersOf(row), row[3 + place]]));
        for (const row of rowsOf(example, [field])) {
          expect([field, others.get(membersOf(row))]).toEqual([field, row[3]]);
          others.delete(membersOf(row));
          numbers += 1;
        }
        expect([...others.values()].filter((value) => value !== null && value !== 0)).toEqual([]);
      }
    }
    expect(numbers).toBeGreaterThan(tries(1000, 1 / 4));
  });

  it('give the same rows whether the facts that count are few among others or alone', () => {
    let rows = 0;
    for (const example of examples.filter(({ body }) => body.dimension2 !== 'action_agent')) {
      const alone = { ...example, body: { ...example.body, dimension1: 'action_agent', dimension1_values: [1, 2] } };
      const found = engineReport({ ...alone, events: [...alone.events, ...OTHERS] });
      expect(found).toEqual(engineReport(alone));
      rows += found.length;
    }
    expect(rows).toBeGreaterThan(examples.length / 4);
  });
});

/** Many facts of most kinds by an agent that no example has. */
const OTHERS: readonly HistoryEvent[] = Array.from({ length: 400 }, (_, turn): HistoryEvent[] => {
  const at = (START + turn * 997) * 1_000_000;
  const base = { at, case: `other ${turn % 7}`, agent: 99 };
  return [
    { ...base, id: `others ${turn}.1`, type: 'case.viewed' },
    { ...base, id: `others ${turn}.2`, type: 'interaction', direction: 'outbound' },
    { ...base, id: `others ${turn}.3`, type: 'case.status', to: turn % 2 === 0 ? 'resolved' : 'open' },
    { ...base, id: `others ${turn}.4`, type: 'macro.applied', macro: 1 },
    { ...base, id: `others ${turn}.5`, type: 'case.labels', add: [1 + (turn % 5)], remove: [1 + ((turn + 1) % 5)] },
  ];
}).flat();

/** The example's report by month or without windows, so that cases lie whole in one. */
function rowsOf({ body, ...rest }: Example, fields: readonly string[]): readonly Row[] {
  const size = body.time.window_size === 'none' ? ('none' as const) : ('month' as const);
  return engineReport({ ...rest, body: { ...body, fields, time: { ...body.time, window_size: size } } });
}

const membersOf = (row: Row): string => JSON.stringify(row.slice(0, 3));
