import { randomUUID } from 'node:crypto';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { readSite, type Site } from '../lib/access/sites.ts';
import type { HistoryEvent } from '../lib/history/event.ts';
import { mergeEvents } from '../lib/history/merge.ts';
import { type Intake, type Message, takeMessages } from '../lib/history/messages.ts';
import { bySubject } from '../lib/history/subject.ts';
import { describeError } from '../lib/log.ts';
import { keys } from '../lib/store/keys.ts';
import { DEAD_LETTER_URL, log, logMetrics, table } from './wiring.ts';

const queues = new SQSClient();

/** Takes support history from the queue. */
export async function handler({ Records }: SQSEvent): Promise<SQSBatchResponse> {
  const sites = new Map<string | undefined, Promise<Site | undefined>>(); // of this batch
  const intake: Intake<Site> = {
    findSite: (named) => remember(sites, named, () => findSite(named)),
    takeEvents,
    takeReference: async () => 'reference records come by import',
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

async function takeEvents(site: Site, events: readonly HistoryEvent[]): Promise<ReadonlyMap<HistoryEvent, string>> {
  const context = { table, site, clock: Date.now, newId: randomUUID };
  const incoming = [...bySubject(events)].map(
    ([subject, list]) => [subject, list.map((event) => ({ event, line: 0 }))] as const,
  );
  const { conflicts } = await mergeEvents(context, new Map(incoming));
  return new Map(conflicts.map(({ event }) => [event, `id: another event is ${JSON.stringify(event.id)} already`]));
}

/** Sends a message to the dead letters, its reason beside it. */
async function putAside({ id, group, site, body }: Message, reason: string): Promise<void> {
  const text = (StringValue: string) => ({ DataType: 'String', StringValue });
  log('warn', 'message refused', { id, reason });
  await queues.send(
    new SendMessageCommand({
      QueueUrl: DEAD_LETTER_URL,
      MessageBody: body,
      MessageGroupId: group,
      MessageDeduplicationId: id,
      MessageAttributes: { reason: text(reason), ...(site === undefined ? {} : { site: text(site) }) },
    }),
  );
}

function remember<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}
