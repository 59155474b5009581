import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { DueWork } from '../lib/uploads/bucket.ts';
import { STEP_URL } from './wiring.ts';

export const queues = new SQSClient();

/** Sends a message to the queue, so that the function `load` does the work. */
export async function sendStep(due: DueWork): Promise<void> {
  await queues.send(new SendMessageCommand({ QueueUrl: STEP_URL, MessageBody: JSON.stringify(due) }));
}
