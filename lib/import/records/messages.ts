import type { Site } from '../../access/site-fields.ts';
import { Rejection } from '../../json-readers.ts';
import { type HistoryRecord, parseLine } from './records.ts';

/** A message of the live stream (docs/import.md): one record. */
export interface Message {
  readonly id: string; // of the message, not of the record
  readonly group: string; // messages of one group are delivered in order
  readonly site: string | undefined; // undefined: the default site
  readonly body: string;
}

/** A message whose site exists and whose record is well formed. */
export interface ValidMessage {
  readonly message: Message;
  readonly site: Site;
  readonly record: HistoryRecord;
}

/** The functions that `takeMessages` calls. If one throws, the message has failed for now and is delivered again. */
export interface MessageHandlers {
  readonly findSite: (named: string | undefined) => Promise<Site | undefined>;
  /** Stores records of one site, each exactly once; returns in the same order what became of each. */
  readonly takeRecords: (site: Site, letters: readonly ValidMessage[]) => Promise<readonly MessageFate[]>;
  /** Puts a message aside for good, with the reason. */
  readonly refuse: (message: Message, reason: string) => Promise<void>;
  readonly onFailure: (message: Message, error: unknown) => void;
}

/**
 * What became of a message: stored; refused for good, with a reason; failed for now, with an error; or left, because an
 * earlier message of its group failed.
 */
export type MessageFate = 'taken' | 'left' | { readonly reason: string } | { readonly error: unknown };

/** What became of a batch. */
export interface BatchOutcome {
  readonly failed: readonly string[]; // ids of messages to deliver again
  readonly refused: number;
}

/**
 * Stores a batch of messages. A message that is wrong in itself is refused for good and does not block its group. A
 * message that fails for a passing reason is delivered again, with all later ones of its group. None of these is
 * refused yet, because the failed message may be all that it lacks. Those that were stored already change nothing the
 * second time.
 */
export async function takeMessages(messages: readonly Message[], intake: MessageHandlers): Promise<BatchOutcome> {
  const fates = await fatesOf(messages, intake);
  const failed: string[] = [];
  const broken = new Set<string>(); // groups
  let refused = 0;

  function fail({ id, group }: Message): void {
    failed.push(id);
    broken.add(group);
  }

  for (const message of messages) {
    const fate = fates.get(message) ?? 'left';
    if (broken.has(message.group) || fate === 'left') {
      fail(message);
      continue;
    }
    if (fate === 'taken') continue;
    try {
      if ('error' in fate) throw fate.error;
      await intake.refuse(message, fate.reason);
      refused += 1;
    } catch (error) {
      intake.onFailure(message, error);
      fail(message);
    }
  }
  return { failed, refused };
}

const LONGEST_REASON = 1000; // UTF-16 units; the queues leave 4 KB for it (infra/stack/queue.ts)
const UNSENDABLE = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu; // SQS takes the characters of XML 1.0

/** Makes a reason valid as an attribute in SQS: a message that SQS refused would block its group. */
export const validSqsText = (reason: string): string => reason.slice(0, LONGEST_REASON).replace(UNSENDABLE, '\uFFFD');

/** Opens messages and stores the well-formed ones, site by site. */
async function fatesOf(
  messages: readonly Message[],
  intake: MessageHandlers,
): Promise<ReadonlyMap<Message, MessageFate>> {
  const fates = new Map<Message, MessageFate>();
  const letters = new Map<string, { readonly site: Site; readonly all: ValidMessage[] }>(); // by the site's name
  for (const message of messages) {
    const letter = await open(message, intake).catch((error: unknown) => ({ error }));
    if (!('record' in letter)) fates.set(message, letter);
    else if (letters.get(letter.site.name)?.all.push(letter) === undefined)
      letters.set(letter.site.name, { site: letter.site, all: [letter] });
  }
  for (const { site, all } of letters.values()) {
    const taken = await intake.takeRecords(site, all).catch((error: unknown) => all.map(() => ({ error })));
    for (const [index, { message }] of all.entries()) fates.set(message, taken[index] ?? 'left');
  }
  return fates;
}

/** Returns a message's site and record, or the reason why it is refused. */
async function open(
  message: Message,
  { findSite }: MessageHandlers,
): Promise<ValidMessage | { readonly reason: string }> {
  const site = await findSite(message.site);
  if (site === undefined) {
    const reason =
      message.site === undefined
        ? 'no site is named, and the deployment has no default one'
        : `site: there is no site ${JSON.stringify(message.site)}`;
    return { reason };
  }
  try {
    return { message, site, record: parseLine(message.body) };
  } catch (error) {
    if (error instanceof Rejection) return { reason: error.message };
    throw error;
  }
}
