import { expect, it } from '@jest/globals';
import { noFacts } from '../../../lib/history/cases/case-row.ts';
import { encodeSegment } from '../../../lib/history/segments/segment-encode.ts';
import { FIELD_NAMES } from '../../../lib/insights/fields.ts';
import { rehearse } from '../../../lib/insights/rehearse.ts';

it('computes reports of a case that counts for most fields', () => {
  const replies = rehearse().map((reply) => JSON.parse(reply));
  const counted = FIELD_NAMES.filter((_, place) => replies.some(({ data }) => data[0][3 + place] > 0));
  expect(replies.map(({ data }) => data.length)).toEqual([1, 1, 1, 1, 1]);
  expect(replies.slice(3)).toEqual([replies[2], replies[2]]);
  expect(counted.length).toBeGreaterThan(15);
});

it('goes through a report that would not fit a reply, and on to the next', () => {
  const DAYS = 400;
  const AGENTS = 20;
  const outbound = Array.from({ length: DAYS * AGENTS }, (_, place) => {
    return { second: 86_400 * Math.floor(place / AGENTS), agent: 1 + (place % AGENTS), group: null, value: 0 };
  });
  const attributes = { agent: null, group: 1, priority: null, company: null, score: null };
  const lists = { labels: [1], macros: [], customValues: [] };
  const rows = Array.from({ length: 12 }, (_, channel) => ({
    ...{ key: String(channel), start: 0, end: 86_400 * (DAYS - 1) },
    attributes: { ...attributes, ...lists, channel },
    facts: { ...noFacts(), outbound },
  }));
  const replies = rehearse(encodeSegment(rows)).map((reply) => JSON.parse(reply).data.length);
  expect(replies).toEqual([14, DAYS, DAYS, DAYS]);
});
