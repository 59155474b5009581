import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { HistoryEvent } from '../../../lib/history/cases/event.ts';
import { FIELD_NAMES } from '../../../lib/insights/fields.ts';
import { createSegmentScanner } from '../../../lib/insights/scan/scanner.ts';
import { tries } from '../../support/generators/depth.ts';
import { reportRows } from '../../support/generators/report-rows.ts';
import { arbitraryExample } from '../../support/generators/requests.ts';
import { engineReport, exampleSegments, planOf } from '../../support/oracle/engine-report.ts';
import { type Example, FUTURE, type Row } from '../../support/oracle/example.ts';

const START = Date.parse('2026-01-01T00:00:00Z') / 1000;
const examples = fc.sample(arbitraryExample, { numRuns: tries(240, 1 / 8), seed: 22 });

/** The example's report over a longer time, without rows of nothing. */
function rowsOver({ body, ...rest }: Example, min: string, max: string): Row[] {
  const size = body.time.window_size === 'none' ? ('none' as const) : ('month' as const); // hours of two centuries are too many
  const time = { ...body.time, min, max, window_size: size };
  // A backlog goes on to the end of the time asked for.
  const fields = body.fields.filter((field) => field !== 'open_cases').slice(0, 3);
  if (fields.length === 0) return [];
  // Promises are broken up to now, and two centuries have too many hours.
  const last = rest.events.reduce((latest, { at }) => Math.max(latest, at / 1_000_000), 0);
  const now = Math.min(rest.now ?? FUTURE, Math.ceil(last) + 30 * 86_400);
  const rows = engineReport({ ...rest, now, body: { ...body, time, fields } });
  return rows.filter((row) => row.slice(3).some((value) => value !== 0 && value !== null));
}

/** Whether a report goes by the hours of the day or the days of the week. */
const usesClocks = ({ body: { dimension1, dimension2 } }: Example): boolean =>
  [dimension1, dimension2].some((name) => name === 'hour_of_day' || name === 'weekday');

describe('the ways through a scan', () => {
  it('give the same rows whether every pair of members has a block of cells or none', () => {
    for (const example of examples) {
      expect(engineReport(example, { blocks: 0, loose: 64_000_000, samples: 64_000_000 })).toEqual(
        engineReport(example),
      );
    }
  });

  it('give the same rows whether the range fits 32 bits or not', () => {
    let rows = 0;
    for (const [place, example] of examples.entries()) {
      if (usesClocks(example) && place % 8 > 0) continue; // a clock of two centuries takes a tenth of a second
      const narrow = rowsOver(example, '2000-01-01T00:00:00Z', '2040-01-01T00:00:00Z');
      expect(rowsOver(example, '1971-01-01T00:00:00Z', '2190-01-01T00:00:00Z')).toEqual(narrow);
      rows += narrow.length;
    }
    expect(rows).toBeGreaterThan(examples.length / 4);
  });

  it('give a field the same numbers alone, fact by fact, as with all others, by whole cases', () => {
    let numbers = 0;
    for (const example of examples.slice(0, tries(45))) {
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
    expect(numbers).toBeGreaterThan(tries(1000));
  });

  it('give the same rows whether the facts of an agent are looked for or known from reports before', () => {
    let rows = 0;
    for (const example of examples.slice(0, 160).filter(({ body }) => body.dimension2 !== 'action_agent')) {
      const { time } = example.body;
      const bodies = [middleOf(time), time, middleOf(time)].flatMap((time) =>
        [1, 2, 1].flatMap((agent) =>
          [example.body.filters, []].map((filters = []) => {
            return { ...example.body, filters, time, dimension1: 'action_agent', dimension1_values: [agent] };
          }),
        ),
      );
      const reports = bodies.map((body) => ({ ...example, body }));
      const segments = namedSegments(example);
      const alone = reports.flatMap((report) => reportsInTurn([report], segments));
      expect(reportsInTurn(reports, segments)).toEqual(alone);
      rows += alone.flat().length;
    }
    expect(rows).toBeGreaterThan(examples.length * 2);
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

  it('count each case of an agent once, though its facts lie between those of others', () => {
    expect(reportsInTurn(Array(3).fill(INTERLEAVED))).toEqual(Array(3).fill([[null, 1, null, 100, 10]]));
  });

  it('find all facts of an agent after a report that leaves out some cases', () => {
    const labels: HistoryEvent = { type: 'case.labels', id: 'labels', at: START * 1_000_000, case: '0', add: [5] };
    const whole = { ...INTERLEAVED, events: [...INTERLEAVED.events, labels] };
    const filtered = { ...whole, body: { ...whole.body, filters: [[['Exclude', 'Labels', [{ id: '5' }]] as const]] } };
    const [some, all] = [[[null, 1, null, 90, 9]], [[null, 1, null, 100, 10]]];
    expect(reportsInTurn([filtered, whole, filtered])).toEqual([some, all, some]);
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

/** Cases that an agent resolves in turn, again and again, so that those of one lie between those of the others. */
const INTERLEAVED: Example = {
  events: Array.from({ length: 200 }, (_, turn): HistoryEvent => {
    const base = { id: String(turn), at: (START + turn * 1000) * 1_000_000, case: String(turn % 10), agent: 1 };
    return { ...base, type: 'case.status', to: turn % 20 < 10 ? 'resolved' : 'open' };
  }),
  reference: [],
  site: { timeZone: 'UTC', weekStart: 'monday' },
  body: {
    fields: ['case_resolves', 'resolved_cases'],
    time: { min: '2026-01-01T00:00:00Z', max: '2026-01-04T00:00:00Z', window_size: 'none' },
    dimension1: 'action_agent',
    dimension1_values: [1],
  },
};

/** The example's report by month or without windows, so that cases lie whole in one. */
function rowsOf({ body, ...rest }: Example, fields: readonly string[]): readonly Row[] {
  const size = body.time.window_size === 'none' ? ('none' as const) : ('month' as const);
  return engineReport({ ...rest, body: { ...body, fields, time: { ...body.time, window_size: size } } });
}

const membersOf = (row: Row): string => JSON.stringify(row.slice(0, 3));

/** A tenth of a time, from its middle on. */
function middleOf({ min, max, ...rest }: Example['body']['time']): Example['body']['time'] {
  const at = (share: number): string =>
    new Date(Date.parse(min) + share * (Date.parse(max) - Date.parse(min))).toISOString();
  return { ...rest, min: at(0.5), max: at(0.6) };
}

const namedSegments = (example: Example) =>
  exampleSegments(example, 3).map((segment, at) => ({ ...segment, name: `s${at}` }));

/** The rows of reports over the same history, one after another by a scanner that keeps segments open. */
function reportsInTurn(examples: readonly Example[], segments = namedSegments(examples[0]!)): Row[][] {
  const scanner = createSegmentScanner(100_000_000);
  return examples.map((example) => {
    const plan = planOf(example);
    const scan = scanner.start(plan);
    for (const segment of segments) if (segment.kind === 'cases') scan.add(segment);
    return reportRows(plan, scan.result());
  });
}
