import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { Busy, ConditionFailed, Refused, unavailable } from './faults.ts';
import { toItem } from './table.ts';

const PASSING = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded', 'None']);

/** Names of SDK errors with which DynamoDB rejects a write. */
const REFUSALS = new Set(['ValidationException', 'ItemCollectionSizeLimitExceededException']);

/** Names of SDK and network errors that mean the service is unavailable. */
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
  readonly Item?: Record<string, AttributeValue>;
  readonly CancellationReasons?: readonly { readonly Code?: string }[];
}

/** Turns an error of the SDK into one of ours; returns an unknown error unchanged. */
export function translate(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const { name, code, $metadata, Item, CancellationReasons }: SdkError = error;
  if (name === 'ConditionalCheckFailedException') return new ConditionFailed([0], Item && toItem(unmarshall(Item)));
  if (REFUSALS.has(name)) return new Refused(error.message, error);
  if (name === 'TransactionInProgressException' || name === 'TransactionConflictException') return new Busy(error);
  if (name === 'TransactionCanceledException') {
    const codes = (CancellationReasons ?? []).map((reason) => reason.Code ?? 'None');
    const failed = codes.flatMap((reason, index) => (reason === 'ConditionalCheckFailed' ? [index] : []));
    if (failed.length > 0) return new ConditionFailed(failed);
    if (codes.includes('ValidationError')) return new Refused(error.message, error);
    return codes.every((reason) => PASSING.has(reason)) ? new Busy(error) : error;
  }
  const isOutage = OUTAGES.has(name) || OUTAGE_CODES.has(code ?? '') || ($metadata?.httpStatusCode ?? 0) >= 500;
  return isOutage ? unavailable(error) : error;
}
