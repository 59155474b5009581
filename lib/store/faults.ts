import { Failure } from '../errors.ts';
import type { Item } from './table.ts';

/** A write's condition did not hold: somebody else wrote first. `places` are the writes at fault, from 0. */
export class ConditionFailed extends Error {
  readonly places: readonly number[];
  readonly item: Item | undefined; // what stands there, for a put that asked for it

  constructor(places: readonly number[], item?: Item) {
    super('the condition of a write did not hold');
    this.name = 'ConditionFailed';
    this.places = places;
    this.item = item;
  }
}

/** A write breaks a rule of DynamoDB, such as the size of an item: a mistake of the caller's; nothing was written. */
export class Refused extends Error {
  constructor(why: string, cause?: unknown) {
    super(`the table refuses a write: ${why}`, { cause });
    this.name = 'Refused';
  }
}

/** A passing fault of the table: nothing was written, the same call may be made again. */
export class Busy extends Error {
  constructor(cause: unknown) {
    super('the table is busy', { cause });
    this.name = 'Busy';
  }
}

/** The 503 for what cannot be answered now; the cause, where there is one, goes to the log alone. */
export function unavailable(cause?: unknown): Failure {
  const failure = new Failure('unavailable', { headers: { 'Retry-After': '1' } });
  if (cause !== undefined) failure.cause = cause;
  return failure;
}
