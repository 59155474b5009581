import { randomUUID } from 'node:crypto';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Site } from '../lib/access/site-fields.ts';
import { readSite } from '../lib/access/sites.ts';
import { takeRecords } from '../lib/import/live.ts';
import { type Message, type MessageHandlers, takeMessages, validSqsText } from '../lib/import/records/messages.ts';
import { describeError } from '../lib/log.ts';
import { memoize } from '../lib/memo.ts';
import { createCollections } from '../lib/store/collection.ts';
import { keys } from '../lib/store/keys.ts';
import { table } from './table.ts';
import { DEAD_LETTER_URL, log, logMetrics } from './wiring.ts';

const queues = new SQSClient();
const collections = createCollections();

/** Imports the records of docs/import.md from the queue. */
export async function handler({ Records }: SQSEvent): Promise<SQSBatchResponse> {
  const intake: MessageHandlers = {
    findSite: memoize(findSite), // once for each site of this batch
    takeRecords: (site, letters) =>
      takeRecords({ table, site, collections, clock: Date.now, newId: randomUUID }, letters),
    refuse: putAside,
    onFailure: ({ id }, error) => log('error', 'message failed', { id, ...describeError(error) }),
  };
  const { failed, refused } = await takeMessages(Records.map(toMessage), intake);
  const units = { messages: 'Count', failed: 'Count', refused: 'Count' } as const;
  logMetrics('batch', units, { messages: Records.length, failed: failed.length, refused });
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}

const toMessage = ({ messageId, body, attributes, messageAttributes }: SQSRecord): Message => ({
  id: messageId,
  group: attributes.MessageGroupId ?? '',
  site: messageAttributes.site?.stringValue,
  body,
});

async function findSite(named: string | undefined): Promise<Site | undefined> {
  const name = named ?? (await table.get(keys.defaultSite()))?.site;
  return typeof name === 'string' ? readSite(table, name) : undefined;
}

/**
 * Sends a message to the dead letters with its reason as an attribute. The reason is not logged, since it quotes the
 * record.
 */
async function putAside({ id, group, site, body }: Message, reason: string): Promise<void> {
  const text = (StringValue: string) => ({ DataType: 'String', StringValue });
  log('warn', 'message refused', { id });
  await queues.send(
    new SendMessageCommand({
      QueueUrl: DEAD_LETTER_URL,
      MessageBody: body,
      MessageGroupId: group,
      MessageDeduplicationId: id,
      MessageAttributes: { reason: text(validSqsText(reason)), ...(site !== undefined && { site: text(site) }) },
    }),
  );
}
