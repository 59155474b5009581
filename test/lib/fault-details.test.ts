import { Failure, Faults } from '../../lib/errors.ts';
import { closest } from '../../lib/fault-details.ts';
import { readRequest } from '../../lib/insights/request.ts';

const SITE = { timeZone: 'UTC', weekStart: 'monday' } as const;
const time = { min: '2026-01-01T00:00:00Z', max: '2026-02-01T00:00:00Z', window_size: 'day' };

function detailsOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error instanceof Failure ? error.details : error;
  }
}

describe('details of faults', () => {
  it('say which element is wrong, what it may be meant to be, and what is allowed', () => {
    const fields = ['case_deletes', 'case_create'];
    expect(detailsOf(() => readRequest({ fields, time }, SITE, 0))).toEqual([
      {
        field: 'fields.1',
        code: 'invalid',
        message: 'case_create is no field. Did you mean case_creates?',
        allowed: expect.arrayContaining(['case_creates']),
      },
    ]);
  });

  it('have one entry for each code, at most 100', () => {
    const faults = new Faults();
    for (let place = 0; place < 500; place += 1) faults.add('taken', 'filters', place);
    expect(detailsOf(() => faults.check())).toHaveLength(100);
  });

  it('guess words that are near, and no others', () => {
    expect(closest('Label', ['Labels', 'Agents'])).toBe('Labels');
    expect(closest('ASCE', ['asc', 'desc'])).toBe('asc');
    expect(closest('weather', ['channel', 'label'])).toBeUndefined();
    expect(closest('x'.repeat(1_000_000), ['channel'])).toBeUndefined();
  });
});
