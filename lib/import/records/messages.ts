import type { Site } from '../../access/sites.ts';
import { Rejection } from './fields.ts';
import { type HistoryRecord, parseLine } from './records.ts';

/** A message of the live stream (docs/import.md): one record. */
export interface Message {
  readonly id: string; // of the message, not of the record
  readonly group: string; // messages of a group come in their order
  readonly site: string | undefined; // undefined: the default site
  readonly body: string;
}

/** A message whose site is there and whose record is well formed. */
export interface Letter {
  readonly message: Message;
  readonly site: Site;
  readonly record: HistoryRecord;
}

/** What taking messages in needs from outside. A step that throws has failed for now. */
export interface Intake {
  readonly findSite: (named: string | undefined) => Promise<Site | undefined>;
  /** Takes records of one site, each exactly once; tells in the same order what became of each. */
  readonly takeRecords: (site: Site, letters: readonly Letter[]) => Promise<readonly MessageFate[]>;
  /** Puts a message aside for good, with its reason. */
  readonly refuse: (message: Message, reason: string) => Promise<void>;
  readonly onFailure: (message: Message, error: unknown) => void;
}

/**
 * What became of a record: a reason where it can never be taken, an error where it failed for now; left where one before
 * it in its group failed.
 */
export type MessageFate = 'taken' | 'left' | { readonly reason: string } | { readonly error: unknown };

/** What became of a batch. */
export interface Taken {
  readonly failed: readonly string[]; // ids of messages to bring again
  readonly refused: number;
}

/**
 * Takes a batch of messages in. What is wrong with a message never changes: it is refused, with its reason, and blocks
 * nobody. What fails for a passing reason comes again together with all that follow it in its group, and none of these is
 * refused before: it may only have missed what failed. Those that had been taken already change nothing the second time.
 */
export async function takeMessages(messages: readonly Message[], intake: Intake): Promise<Taken> {
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

const LONGEST_REASON = 1000; // code units; the queues leave 4 KB for it (infra/stack/queue.ts)
const UNSENDABLE = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu; // SQS takes the characters of XML 1.0

/** A reason as SQS takes it for an attribute: one that it would turn away would hold its group up. */
export const sendable = (reason: string): string => reason.slice(0, LONGEST_REASON).replace(UNSENDABLE, '\uFFFD');

/** Opens messages and takes in, site by site, what makes sense. */
async function fatesOf(messages: readonly Message[], intake: Intake): Promise<ReadonlyMap<Message, MessageFate>> {
  const fates = new Map<Message, MessageFate>();
  const letters = new Map<string, { readonly site: Site; readonly all: Letter[] }>(); // by the site's name
  for (const message of messages) {
    const letter = await open(message, intake).catch((error: unknown) => ({ error }));
    if (!('record' in letter)) fates.set(message, letter);
    else if (letters.get(letter.site.name)?.all.push(letter) === undefined)
      letters.set(letter.site.name, { site: letter.site, all: [letter] });
  }
  for (const { site, all } of letters.values()) {
    const taken = await intake.takeRecords(site, all).catch((error: unknown) => all.map(() => ({ error })));
    for (const [place, { message }] of all.entries()) fates.set(message, taken[place] ?? 'left');
  }
  return fates;
}

/** A message's site and record, or the reason why it makes no sense. */
async function open(message: Message, { findSite }: Intake): Promise<Letter | { readonly reason: string }> {
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
