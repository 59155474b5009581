import { expect, it } from '@jest/globals';
import { FIELD_NAMES } from '../../../lib/insights/fields.ts';
import { rehearse } from '../../../lib/insights/rehearse.ts';

it('computes reports of a case that counts for most fields', () => {
  const replies = rehearse().map((reply) => JSON.parse(reply));
  const counted = FIELD_NAMES.filter((_, place) => replies.some(({ data }) => data[0][3 + place] > 0));
  expect(replies.map(({ data }) => data.length)).toEqual([1, 1, 1, 1, 1]);
  expect(replies.slice(3)).toEqual([replies[2], replies[2]]);
  expect(counted.length).toBeGreaterThan(15);
});
