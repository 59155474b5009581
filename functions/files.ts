import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { openObjects } from '../lib/store/objects.ts';
import type { DueWork } from '../lib/uploads/bucket.ts';
import { AWS_ENDPOINT_URL, FILE_BUCKET, STEP_URL } from './wiring.ts';

export const queues = new SQSClient();

/** The bucket of the files of imports. */
export const objects = openObjects({ bucket: FILE_BUCKET ?? '', isEmulated: AWS_ENDPOINT_URL !== undefined });

/** Sends a message to the queue, so that the function `load` does the work. */
export async function sendStep(due: DueWork): Promise<void> {
  await queues.send(new SendMessageCommand({ QueueUrl: STEP_URL, MessageBody: JSON.stringify(due) }));
}
