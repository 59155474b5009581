import { caseHistory } from '../../../../lib/history/cases/case-history.ts';
import { caseRow } from '../../../../lib/history/cases/facts.ts';
import { createOpenSegments } from '../../../../lib/history/segments/open-segments.ts';
import { encodeSegment } from '../../../../lib/history/segments/segment-encode.ts';

const bytesOf = (key: string): Uint8Array =>
  encodeSegment([caseRow(key, caseHistory([{ type: 'case.created', id: '1', at: 1_000_000, case: key }]))]);

it('gives the same segment again once it was kept', () => {
  const opened = createOpenSegments(1_000_000);
  const bytes = bytesOf('a');
  const first = opened.open('a', bytes);
  expect(opened.open('a', bytes)).not.toBe(first);
  opened.keep('a', first);
  expect(opened.open('a', bytes)).toBe(first);
  expect(opened.open('b', bytes)).not.toBe(first);
});

it('keeps those that came first where there is no room for all', () => {
  const [one, two] = [bytesOf('a'), bytesOf('b')];
  const opened = createOpenSegments(30_000); // an open segment takes 20,000, however little is decoded
  const [first, second] = [opened.open('a', one), opened.open('b', two)];
  opened.keep('a', first);
  opened.keep('b', second);
  expect(opened.open('a', one)).toBe(first);
  expect(opened.open('b', two)).not.toBe(second);
});

it('lets go of a segment whose columns have outgrown the room', () => {
  const bytes = bytesOf('a');
  const opened = createOpenSegments(20_050);
  const segment = opened.open('a', bytes);
  opened.keep('a', segment);
  expect(opened.open('a', bytes)).toBe(segment);
  segment.keys();
  segment.starts();
  segment.facts('created').seconds();
  opened.keep('a', segment);
  expect(opened.open('a', bytes)).not.toBe(segment);
});

it('lets go of a segment that reports no longer open, but not because nobody asked for a report', () => {
  const [old, current] = [bytesOf('a'), bytesOf('b')];
  let now = 0; // ms
  const opened = createOpenSegments(1_000_000, () => now);
  const first = opened.open('a', old);
  opened.keep('a', first);
  const reportAfter = (ms: number): void => {
    now += ms;
    opened.keep('b', opened.open('b', current));
  };
  reportAfter(3_600_000);
  expect(opened.open('a', old)).toBe(first);
  for (let report = 0; report < 178; report += 1) reportAfter(1_000);
  expect(opened.open('a', old)).toBe(first);
  reportAfter(1_000);
  expect(opened.open('a', old)).not.toBe(first);
});
