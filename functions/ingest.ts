import { randomUUID } from 'node:crypto';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Site } from '../lib/access/site-fields.ts';
import { readSite } from '../lib/access/sites.ts';
import { takeRecords } from '../lib/import/live.ts';
import { type Message, type MessageHandlers, takeMessages, validSqsText } from '../lib/import/records/messages.ts';
import { describeError } from '../lib/log.ts';
import { memoize } from '../lib/memo.ts';
import { AWS_CALLS } from '../lib/store/client.ts';
import { createCollections } from '../lib/store/collection.ts';
import { keys } from '../lib/store/keys.ts';
import { table } from './table.ts';
import { DEAD_LETTER_URL, log, logMetrics } from './wiring.ts';

const queues = new SQSClient({ requestHandler: AWS_CALLS });
const collections = createCollections();

/** Imports the records of docs/import.md from the queue. */
export async function handler({ Records }: SQSEvent): Promise<SQSBatchResponse> {
  let usual: string | undefined; // the default site, once a message has asked for it
  const namesOf = ({ id, site = usual }: Message) => ({ site, letter: id });
  const intake: MessageHandlers = {
    // once for each site of this batch
    findSite: memoize(async (named) => {
      const site = await findSite(named);
      if (named === undefined) usual = site?.name;
      return site;
    }),
    takeRecords: (site, letters) =>
      takeRecords({ table, site, collections, clock: Date.now, newId: randomUUID }, letters),
    refuse: async (message, reason) => {
      // The dead letter is another message, with an id of its own.
      const letter = await putAside(message, reason);
      log('warn', 'message refused', { ...namesOf(message), letter, id: message.id });
    },
    onFailure: (message, error) => log('error', 'message failed', { ...namesOf(message), ...describeError(error) }),
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
 * Sends a message to the dead letters with its reason as an attribute; returns the id that it has there. The reason is not
 * logged, since it quotes the record.
 */
async function putAside({ id, group, site, body }: Message, reason: string): Promise<string | undefined> {
  const text = (StringValue: string) => ({ DataType: 'String', StringValue });
  const { MessageId } = await queues.send(
    new SendMessageCommand({
      QueueUrl: DEAD_LETTER_URL,
      MessageBody: body,
      MessageGroupId: group,
      MessageDeduplicationId: id,
      MessageAttributes: { reason: text(validSqsText(reason)), ...(site !== undefined && { site: text(site) }) },
    }),
  );
  return MessageId;
}
