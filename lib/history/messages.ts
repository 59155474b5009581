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

/** What taking messages in needs from outside. `S` is a site. A step that throws has failed for now. */
export interface Intake<S> {
  readonly findSite: (named: string | undefined) => Promise<S | undefined>;
  /** Exactly once by id; tells in the same order what became of each. */
  readonly takeEvents: (site: S, events: readonly HistoryEvent[]) => Promise<readonly Fate[]>;
  /** Gives the reason where the record cannot be taken. */
  readonly takeReference: (site: S, record: ReferenceRecord) => Promise<string | undefined>;
  /** Puts a message aside for good, with its reason. */
  readonly refuse: (message: Message, reason: string) => Promise<void>;
  readonly onFailure: (message: Message, error: unknown) => void;
}

/** What became of an event: a reason where it can never be taken, an error where it failed for now. */
export type Fate = 'taken' | { readonly reason: string } | { readonly error: unknown };

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

  function fail(message: Message, error: unknown): void {
    failed.add(message);
    intake.onFailure(message, error);
  }
  async function refuse(message: Message, reason: string): Promise<void> {
    await intake.refuse(message, reason);
    refused += 1;
  }
  /** Does what is to be done about one message. */
  async function settle(message: Message, work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => fail(message, error));
  }

  /** What became of events; where taking them in broke off, all have failed. */
  async function takeAll(site: S, events: readonly { readonly event: HistoryEvent }[]): Promise<readonly Fate[]> {
    const all = events.map(({ event }) => event);
    return intake.takeEvents(site, all).catch((error: unknown) => all.map((): Fate => ({ error })));
  }

  const letters: Letter<S>[] = [];
  for (const message of messages) {
    await settle(message, async () => {
      const letter = await open(message, intake);
      if (typeof letter === 'string') await refuse(message, letter);
      else letters.push(letter);
    });
  }
  for (const [site, all] of groupBy(letters, (letter) => letter.site)) {
    const events: { readonly message: Message; readonly event: HistoryEvent }[] = [];
    for (const { message, record } of all) {
      if (isEvent(record)) events.push({ message, event: record });
      else {
        await settle(message, async () => {
          const reason = await intake.takeReference(site, record);
          if (reason !== undefined) await refuse(message, reason);
        });
      }
    }
    const fates = await takeAll(site, events);
    for (const [place, { message }] of events.entries()) {
      const fate = fates[place] ?? 'taken';
      if (fate === 'taken') continue;
      if ('error' in fate) fail(message, fate.error);
      else await settle(message, () => refuse(message, fate.reason));
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
