import { Failure } from '../errors.ts';
import type { Key } from './keys.ts';
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

/**
 * What is stored under a key is not what was written there. Nothing of it is used; the reply, the error of a command and
 * the log name it, and what does not need it is served.
 */
export class Damaged extends Failure {
  readonly key: Key;

  constructor(key: Key, cause?: unknown) {
    super('internal', { message: `What is stored as ${itemName(key)} is damaged. ${remedyOf(key)}` });
    this.cause = cause;
    this.key = key;
  }
}

/** The name of an item for people. */
export const itemName = ({ pk, sk }: Key): string => `${pk} ${sk}`;

/** What to do: segments of cases are made again from the ledger, all else is in a copy alone. */
function remedyOf(key: Key): string {
  const site = /^site#([^#]+)#segment#\d+ segment#/.exec(itemName(key))?.[1];
  const copy = 'Put back a copy of the data folder.';
  return site === undefined
    ? copy
    : `\`support compact --rebuild --site ${site}\` makes segments of cases again. Else: ${copy}`;
}
