import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { DueWork } from '../lib/uploads/bucket.ts';
import { queues } from './queues.ts';
import { STEP_URL } from './wiring.ts';

/** Sends a message to the queue, so that the function `load` does the work. */
export async function sendStep(due: DueWork): Promise<void> {
  await queues.send(new SendMessageCommand({ QueueUrl: STEP_URL, MessageBody: JSON.stringify(due) }));
}
