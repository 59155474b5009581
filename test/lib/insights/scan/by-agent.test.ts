import * as fc from 'fast-check';
import type { HistoryEvent } from '../../../../lib/history/cases/event.ts';
import { createSegmentScanner, type ScannerOptions } from '../../../../lib/insights/scan/scanner.ts';
import { tries } from '../../../support/generators/depth.ts';
import { reportRows } from '../../../support/generators/report-rows.ts';
import { arbitraryExample } from '../../../support/generators/requests.ts';
import { exampleSegments, planOf } from '../../../support/oracle/engine-report.ts';
import type { Example, Row } from '../../../support/oracle/example.ts';

const START = Date.parse('2026-01-01T00:00:00Z') / 1000;
const examples = fc.sample(arbitraryExample, { numRuns: tries(160, 1 / 8), seed: 23 });

describe('the noted facts of an agent', () => {
  it('give the same rows as the plain way, whether noted just now or by reports before', () => {
    let rows = 0;
    for (const example of examples.filter(({ body }) => body.dimension2 !== 'action_agent')) {
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
      const plain = reportsInTurn(reports, segments, { isFast: false });
      expect(reportsInTurn(reports, segments)).toEqual(plain);
      rows += plain.flat().length;
    }
    expect(rows).toBeGreaterThan(examples.length * 2);
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

/** A tenth of a time, from its middle on. */
function middleOf({ min, max, ...rest }: Example['body']['time']): Example['body']['time'] {
  const at = (share: number): string =>
    new Date(Date.parse(min) + share * (Date.parse(max) - Date.parse(min))).toISOString();
  return { ...rest, min: at(0.5), max: at(0.6) };
}

const namedSegments = (example: Example) =>
  exampleSegments(example, 3).map((segment, at) => ({ ...segment, name: `s${at}` }));

/** The rows of reports over the same history, one after another by a scanner that keeps segments open. */
function reportsInTurn(
  examples: readonly Example[],
  segments = namedSegments(examples[0]!),
  options: ScannerOptions = {},
): Row[][] {
  const scanner = createSegmentScanner(100_000_000, options);
  return examples.map((example) => {
    const plan = planOf(example);
    const scan = scanner.start(plan);
    for (const segment of segments) if (segment.kind === 'cases') scan.add(segment);
    return reportRows(plan, scan.result());
  });
}
