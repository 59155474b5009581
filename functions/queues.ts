import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mapInChunks } from '../lib/store/batches.ts';
import { AWS_CALLS } from '../lib/store/client.ts';

export const queues = new SQSClient({ requestHandler: AWS_CALLS });
const AT_ONCE = 10; // messages side by side

/** A message of a queue, and what it may not overtake. */
export interface GroupedMessage {
  readonly group: string;
  readonly body: object;
}

/**
 * Sends messages to a queue with groups. Throws if one was not taken: it is safe to send all again. One by one, since
 * emulators that enforce IAM know batches by a right of their own.
 */
export async function sendMessages(QueueUrl: string, messages: readonly GroupedMessage[]): Promise<void> {
  await mapInChunks(messages, AT_ONCE, ({ group, body }) =>
    queues.send(new SendMessageCommand({ QueueUrl, MessageGroupId: group, MessageBody: JSON.stringify(body) })),
  );
}
