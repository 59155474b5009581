import { describe, expect, it } from '@jest/globals';
import { createTally } from '../../../lib/insights/tally.ts';

describe('a tally', () => {
  it('keeps what it holds as it grows, and never has room for more cells than there can be', () => {
    const tally = createTally(['creates', 'views'], 100);
    tally.room(60);
    tally.sums('creates')![59] = 7;
    expect(tally.sums('creates')).toHaveLength(60);
    tally.room(61);
    expect(tally.sums('creates')).toHaveLength(100);
    expect(tally.sums('creates')![59]).toBe(7);
    expect(tally.sums('views')).toHaveLength(100);
    expect(tally.sums('resolves')).toBeUndefined();
  });
});
