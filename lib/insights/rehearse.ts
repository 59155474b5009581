import { Failure } from '../errors.ts';
import { ALL_FACT_KINDS, type CaseRow, noFacts } from '../history/cases/case-row.ts';
import { openSegment, type Segment } from '../history/segments/segment.ts';
import { encodeSegment } from '../history/segments/segment-encode.ts';
import { FIELD_NAMES } from './fields.ts';
import { planReport } from './plan.ts';
import { NO_REFERENCE } from './reference.ts';
import { reportJson } from './report.ts';
import { readRequest } from './request.ts';
import { createSegmentScanner, DECODED_BYTES } from './scan/scanner.ts';
import type { WindowSize } from './windows.ts';

const SECOND = 1_767_225_600; // 2026-01-01T00:00:00Z
const FACT = { second: SECOND, agent: 1, group: 1, value: 1 };

/** A case with a fact of every kind. */
const CASE: CaseRow = {
  key: 'rehearsal',
  start: SECOND,
  end: SECOND,
  attributes: {
    ...{ channel: 1, agent: 1, group: 1, priority: 1, company: null, score: null },
    ...{ labels: [1], macros: [{ macro: 1, resolve: 0 }], customValues: [] },
  },
  facts: { ...noFacts(), ...Object.fromEntries(ALL_FACT_KINDS.map((kind) => [kind, [FACT]])) },
};

/**
 * Computes reports over a segment, as a process starts, and gives their replies; over a made-up case its first real report
 * takes 15 ms less, since all that reports need is loaded then, names of zones above all. After some segments of a site the
 * loops of reports are compiled for what its columns are; until then they take up to twice as long.
 */
export function rehearse(columns: Uint8Array = encodeSegment([CASE])): string[] {
  const scanner = createSegmentScanner(DECODED_BYTES);
  const bodies = [...reportsOver(openSegment(columns)).entries()];
  // The last twice again, over columns that are decoded by then: the facts of an agent are found in other ways there.
  return [...bodies, ...bodies.slice(-1), ...bodies.slice(-1)].flatMap(([number, body]) => {
    const plan = planReport(readRequest(body, { timeZone: 'UTC', weekStart: 'monday' }), NO_REFERENCE);
    const scan = scanner.start(plan);
    try {
      scan.add({ name: `for ${number}`, kind: 'cases', columns, dead: [] }); // as if it were another for each
      return reportJson(plan, scan.result());
    } catch (error) {
      if (error instanceof Failure) return []; // too large: gone through all the same
      throw error;
    } finally {
      scan.close();
    }
  });
}

const LONGEST = 400 * 86_400; // s, so that windows are few whatever times a segment has
const AGENTS = 20;

/** Reports that go through most of what reports are made with: by members of cases, by those of facts, of one agent. */
function reportsOver(segment: Segment): readonly Readonly<Record<string, unknown>>[] {
  const { start, end } = segment.head;
  const time = (window_size: WindowSize) => ({
    min: timeOf(start),
    max: timeOf(Math.min(end + 1, start + LONGEST)),
    window_size,
  });
  const agents = segment.dictionary('agents').slice(0, AGENTS);
  const labels = segment.dictionary('labels').slice(0, 2);
  const daily = { fields: FIELD_NAMES, time: time('day'), dimension1: 'action_agent' };
  return [
    { fields: FIELD_NAMES, time: time('month'), dimension1: 'label', dimension2: 'assigned_group' },
    {
      ...daily,
      dimension1_values: agents,
      dimension2: 'channel',
      filters: labels.length === 0 ? null : [[['Include', 'Labels', labels.map((id) => ({ id: String(id) }))]]],
    },
    { ...daily, dimension1_values: agents.slice(0, 1) },
  ];
}

const timeOf = (second: number): string => new Date(second * 1000).toISOString().replace('.000', '');
