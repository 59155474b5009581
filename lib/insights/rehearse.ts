import { ALL_FACT_KINDS, type CaseRow, noFacts } from '../history/case-row.ts';
import { encodeSegment } from '../history/segment-encode.ts';
import { FIELD_NAMES } from './fields.ts';
import { planReport } from './plan.ts';
import { NO_REFERENCE } from './reference.ts';
import { reportJson } from './report.ts';
import { readRequest } from './request.ts';
import { createSegmentScanner } from './scanner.ts';

const SECOND = 1_767_225_600; // 2026-01-01T00:00:00Z
const FACT = { second: SECOND, agent: 1, group: null, value: 1 };

/** A case with a fact of every kind. */
const CASE: CaseRow = {
  key: 'rehearsal',
  start: SECOND,
  end: SECOND,
  attributes: {
    ...{ channel: 1, agent: 1, group: null, priority: 1, company: null, score: null },
    ...{ labels: [1], macros: [{ macro: 1, resolve: 0 }], customValues: [] },
  },
  facts: { ...noFacts(), ...Object.fromEntries(ALL_FACT_KINDS.map((kind) => [kind, [FACT]])) },
};

const TIME = { min: '2026-01-01T00:00:00Z', max: '2026-01-02T00:00:00Z' };

/** Reports that go through most of what reports are made with. */
const REPORTS = [
  { fields: FIELD_NAMES, time: { ...TIME, window_size: 'month' }, dimension1: 'label' },
  {
    fields: FIELD_NAMES,
    time: { ...TIME, window_size: 'day' },
    dimension1: 'action_agent',
    dimension1_values: [1],
    filters: [[['Include', 'Labels', [{ id: '1' }]]]],
  },
];

/**
 * Computes reports over a made-up case, as a process starts: its first real one takes 15 ms less, since all that reports need
 * is compiled and loaded, names of zones above all.
 */
export function rehearse(): readonly string[] {
  const columns = encodeSegment([CASE]);
  return REPORTS.map((body) => {
    const plan = planReport(readRequest(body, { timeZone: 'UTC', weekStart: 'monday' }), NO_REFERENCE);
    const scan = createSegmentScanner(0).start(plan);
    scan.add({ name: undefined, kind: 'cases', columns, dead: [] });
    const reply = reportJson(plan, scan.result());
    scan.close();
    return reply;
  });
}
