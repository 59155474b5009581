import { Failure } from '../errors.ts';
import { type Attributes, fromAttributes } from './attributes.ts';

/** A write's condition did not hold: somebody else wrote first. `places` are the writes at fault, from 0. */
export class ConditionFailed extends Error {
  readonly places: readonly number[];
  readonly item: Readonly<Record<string, unknown>> | undefined; // what stands there, for a put that asked for it

  constructor(places: readonly number[], item?: Readonly<Record<string, unknown>>) {
    super('the condition of a write did not hold');
    this.name = 'ConditionFailed';
    this.places = places;
    this.item = item;
  }
}

/** A passing fault of the table: nothing was written, the same call may be made again. */
export class Busy extends Error {
  constructor(cause: unknown) {
    super('the table is busy', { cause });
    this.name = 'Busy';
  }
}

const PASSING = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded', 'None']);

/** Names of SDK and network errors after which the service is unavailable rather than wrong. */
const OUTAGES = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'LimitExceededException',
  'InternalServerError',
  'ServiceUnavailable',
  'TimeoutError',
  'AbortError',
  'NetworkingError',
]);
const OUTAGE_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);

interface SdkError extends Error {
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly Item?: Attributes;
  readonly CancellationReasons?: readonly { readonly Code?: string }[];
}

/** Turns an error of the SDK into ours; what is not known stays what it is. Never returns a value to go on with. */
export function translate(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const { name, code, $metadata, Item, CancellationReasons } = error as SdkError;
  if (name === 'ConditionalCheckFailedException') return new ConditionFailed([0], Item && fromAttributes(Item));
  if (name === 'TransactionInProgressException' || name === 'TransactionConflictException') return new Busy(error);
  if (name === 'TransactionCanceledException') {
    const codes = (CancellationReasons ?? []).map((reason) => reason.Code ?? 'None');
    const places = codes.flatMap((reason, place) => (reason === 'ConditionalCheckFailed' ? [place] : []));
    if (places.length > 0) return new ConditionFailed(places);
    return codes.every((reason) => PASSING.has(reason)) ? new Busy(error) : error;
  }
  const isOutage = OUTAGES.has(name) || OUTAGE_CODES.has(code ?? '') || ($metadata?.httpStatusCode ?? 0) >= 500;
  return isOutage ? unavailable(error) : error;
}

/** The 503 for what cannot be answered now; the cause, where there is one, goes to the log alone. */
export function unavailable(cause?: unknown): Failure {
  const failure = new Failure('unavailable', { headers: { 'Retry-After': '1' } });
  if (cause !== undefined) failure.cause = cause;
  return failure;
}
