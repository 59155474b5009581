import { describe, expect, it } from 'vitest';
import { changeOf, goodDirection } from '../../../../lib/console/model/change.ts';

describe('a change', () => {
  it('of a count is a share of the earlier number, and there is none of nothing', () => {
    expect(changeOf(110, 100, 'cases', 'up')).toEqual({ kind: 'share', amount: 0.1, verdict: 'better' });
    expect(changeOf(90, 100, 'cases', 'up')).toEqual({ kind: 'share', amount: -0.1, verdict: 'worse' });
    expect(changeOf(90, 100, 'seconds', 'down')?.verdict).toBe('better');
    expect([changeOf(5, 0, 'cases', 'up'), changeOf(null, 3, 'cases', 'up'), changeOf(3, null, '', 'up')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('of a rate is in points, also from 0', () => {
    expect(changeOf(12.34, 10, 'percent', 'down')).toEqual({ kind: 'points', amount: 2.3, verdict: 'worse' });
    expect(changeOf(5, 0, 'percent', 'up')).toEqual({ kind: 'points', amount: 5, verdict: 'better' });
  });

  it('that is shown as 0 is neither better nor worse, nor is one of a count without a good direction', () => {
    expect(changeOf(1001, 1000, 'cases', 'up')?.verdict).toBe('flat');
    expect(changeOf(120, 100, 'cases', 'neither')?.verdict).toBe('flat');
  });

  it('is good where waits get shorter and promises are kept', () => {
    const fields = ['time_to_first_response:p50', 'reply_time', 'sla_reply_rate', 'sla_reply_missed', 'case_creates'];
    expect(fields.map(goodDirection)).toEqual(['down', 'down', 'up', 'down', 'neither']);
    expect(goodDirection('time_to_resolution:count')).toBe('neither');
  });
});
