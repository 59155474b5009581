import { ChangeMessageVisibilityCommand } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { describeError } from '../lib/log.ts';
import { queues } from './queues.ts';
import { log } from './wiring.ts';

const HIDDEN = 30; // s of visibility timeout: then the queue delivers the message again
const EXTEND_EVERY = 10_000; // ms between two extensions of the visibility timeout

/**
 * Hides a message of a queue from other functions while this one works on it. Extends the timeout in short steps, so that another
 * function soon takes over if this one dies.
 */
export async function whileHidden(
  { messageId: letter, receiptHandle: ReceiptHandle }: SQSRecord,
  QueueUrl: string | undefined,
  work: () => Promise<void>,
): Promise<void> {
  const extend = (): void => {
    queues
      .send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: HIDDEN }))
      .catch((error: unknown) => log('warn', 'visibility timeout not extended', { letter, ...describeError(error) }));
  };
  extend();
  const timer = setInterval(extend, EXTEND_EVERY);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
}
