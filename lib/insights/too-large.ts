import { type Failure, oneFault } from '../errors.ts';
import type { ReportRequest } from './request.ts';

/** The 422 of a report that is too large; its detail says what would make it fit. */
export function tooLarge(request: ReportRequest, reason: string): Failure {
  const { dimension1, dimension2, time } = request;
  const advice = [
    ...(time.size === 'none' ? [] : ['a larger time.window_size', 'a shorter time']),
    ...(dimension1 === null ? [] : ['fewer dimension1_values']),
    ...(dimension2 === null ? [] : ['fewer dimension2_values']),
    ...(dimension1 !== null && dimension2 !== null ? ['one dimension instead of two'] : []),
    'fewer fields',
  ];
  const last = advice.pop();
  const list = advice.length === 0 ? last : `${advice.join(', ')} or ${last}`;
  return oneFault('too_large', ['time', 'window_size'], `The report ${reason}. It would fit with ${list}.`);
}

/**
 * The 422 of a report whose percentiles need more values than memory holds; its detail says what would make it fit.
 */
export function tooManySamples(most: number): Failure {
  return oneFault(
    'too_large',
    ['fields'],
    `The report needs more than ${most} single durations in memory for its percentiles, shortest and longest. ` +
      'It would fit with a shorter time, fewer of these fields, a filter, or means instead.',
  );
}

/** The fewest bytes that a row of a report takes, with each of its elements at its shortest. */
export function smallestRow({ time, dimension1, dimension2, fields }: ReportRequest): number {
  const window = time.size === 'none' ? 4 : 21;
  const member = (dimension: unknown): number => (dimension === null ? 4 : 1);
  return 3 + window + 1 + member(dimension1) + 1 + member(dimension2) + 2 * fields.length;
}
