import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type DueExport, EXPORT_GROUP } from '../lib/warehouse/due.ts';
import { EXPORT_URL } from './wiring.ts';

const queues = new SQSClient();

/** Sends a message to the queue of exports, if the deployment has a warehouse. */
export async function sendExport(due: DueExport): Promise<void> {
  if (EXPORT_URL === undefined) return;
  const message = { MessageGroupId: EXPORT_GROUP, MessageBody: JSON.stringify(due) };
  await queues.send(new SendMessageCommand({ QueueUrl: EXPORT_URL, ...message }));
}
