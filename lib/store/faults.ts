import { Failure } from '../errors.ts';
import type { Item } from './table.ts';

/** A write's condition did not hold: another write came first. `failed` has the indices of the failed writes. */
export class ConditionFailed extends Error {
  readonly failed: readonly number[];
  readonly item: Item | undefined; // the stored item, for a put with `returnItem`

  constructor(failed: readonly number[], item?: Item) {
    super('the condition of a write did not hold');
    this.name = 'ConditionFailed';
    this.failed = failed;
    this.item = item;
  }
}

/**
 * A write breaks a rule of DynamoDB, such as the size of an item: an error in the calling code. Nothing was written.
 */
export class Refused extends Error {
  constructor(why: string, cause?: unknown) {
    super(`the table refuses a write: ${why}`, { cause });
    this.name = 'Refused';
  }
}

/** A transient fault of the table: nothing was written, the call may be repeated. */
export class Busy extends Error {
  constructor(cause: unknown) {
    super('the table is busy', { cause });
    this.name = 'Busy';
  }
}

/** The 503 for a request that cannot be answered now; the cause, if given, goes only to the log. */
export function unavailable(cause?: unknown): Failure {
  const failure = new Failure('unavailable', { headers: { 'Retry-After': '1' } });
  if (cause !== undefined) failure.cause = cause;
  return failure;
}
