import type { HistoryEvent } from './event.ts';
import { Rejection } from './fields.ts';
import { type HistoryRecord, isEvent, parseLine } from './records.ts';
import type { ReferenceRecord } from './reference-record.ts';

/** A message of the live stream (events.md, Live): one record. */
export interface Message {
  readonly id: string; // of the message, not of the record
  readonly group: string; // messages of a group come in their order
  readonly site: string | undefined; // undefined: the default site
  readonly body: string;
}

/** What taking messages in needs from outside. `S` is a site. Whatever throws has failed for now and comes again. */
export interface Intake<S> {
  readonly findSite: (named: string | undefined) => Promise<S | undefined>;
  /** All or nothing, exactly once by id; gives the reason of each event that is not for this site. */
  readonly takeEvents: (site: S, events: readonly HistoryEvent[]) => Promise<ReadonlyMap<HistoryEvent, string>>;
  /** Gives the reason where the record cannot be taken. */
  readonly takeReference: (site: S, record: ReferenceRecord) => Promise<string | undefined>;
  /** Puts a message aside for good, with its reason. */
  readonly refuse: (message: Message, reason: string) => Promise<void>;
  readonly onFailure: (message: Message, error: unknown) => void;
}

/** What became of a batch. */
export interface Taken {
  readonly failed: readonly string[]; // ids of messages to bring again
  readonly refused: number;
}

interface Letter<S> {
  readonly message: Message;
  readonly site: S;
  readonly record: HistoryRecord;
}

/**
 * Takes a batch of messages in. What is wrong with a message never changes: it is refused at once, with its reason, and
 * blocks nobody. What fails for a passing reason comes again together with all that follow it in its group; those that
 * had been taken already change nothing the second time.
 */
export async function takeMessages<S>(messages: readonly Message[], intake: Intake<S>): Promise<Taken> {
  const failed = new Set<Message>();
  let refused = 0;

  async function attempt(concerned: readonly Message[], work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      for (const message of concerned) {
        failed.add(message);
        intake.onFailure(message, error);
      }
      return false;
    }
  }
  async function refuse(message: Message, reason: string): Promise<void> {
    await intake.refuse(message, reason);
    refused += 1;
  }
  async function takeEvents(site: S, letters: readonly Letter<S>[]): Promise<void> {
    const events = letters.flatMap(({ record }) => (isEvent(record) ? [record] : []));
    const reasons = await intake.takeEvents(site, events);
    for (const { message, record } of letters) {
      const reason = isEvent(record) ? reasons.get(record) : undefined;
      if (reason !== undefined) await attempt([message], () => refuse(message, reason));
    }
  }

  const letters: Letter<S>[] = [];
  for (const message of messages) {
    await attempt([message], async () => {
      const letter = await open(message, intake);
      if (typeof letter === 'string') await refuse(message, letter);
      else letters.push(letter);
    });
  }
  for (const [site, all] of groupBy(letters, (letter) => letter.site)) {
    for (const { message, record } of all) {
      if (isEvent(record)) continue;
      await attempt([message], async () => {
        const reason = await intake.takeReference(site, record);
        if (reason !== undefined) await refuse(message, reason);
      });
    }
    const events = all.filter(({ record }) => isEvent(record));
    if (events.length === 0) continue;
    const together = await takeEvents(site, events).then(
      () => true,
      () => false,
    );
    if (together) continue;
    // One bad group must not hold up the others: each for itself.
    for (const group of groupBy(events, ({ message }) => message.group).values()) {
      const concerned = group.map(({ message }) => message);
      await attempt(concerned, () => takeEvents(site, group));
    }
  }
  return { failed: withFollowers(messages, failed), refused };
}

/** A message's site and record, or the reason why it makes no sense. */
async function open<S>(message: Message, { findSite }: Intake<S>): Promise<Letter<S> | string> {
  const site = await findSite(message.site);
  if (site === undefined) {
    return message.site === undefined
      ? 'no site is named, and the deployment has no default one'
      : `site: there is no site ${JSON.stringify(message.site)}`;
  }
  try {
    return { message, site, record: parseLine(message.body) };
  } catch (error) {
    if (error instanceof Rejection) return error.message;
    throw error;
  }
}

/** The ids of failed messages and of all that follow one in its group. */
function withFollowers(messages: readonly Message[], failed: ReadonlySet<Message>): string[] {
  const broken = new Set<string>();
  return messages.flatMap((message) => {
    if (failed.has(message)) broken.add(message.group);
    return broken.has(message.group) ? [message.id] : [];
  });
}

function groupBy<T, K>(all: readonly T[], keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}
