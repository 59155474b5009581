import { memberId } from '../../access/member-id.ts';
import { type CaseEvent, isOfAgent } from '../../history/cases/event.ts';
import { measureCase } from '../../history/cases/measures.ts';
import { isJsonObject, parsedJson } from '../../json.ts';
import { readObjects } from '../formats/json-objects.ts';
import type { Row } from '../formats/row.ts';
import { isEvent } from '../records/records.ts';
import { PAGES, unwrap } from './kinds.ts';
import { MERGED_TAG } from './options.ts';
import type { NamedBytes } from './read.ts';
import { zendeskId } from './values.ts';

/** Zendesk's metrics of a ticket; null: none. */
interface Measures {
  readonly reopens: number | null;
  readonly replies: number | null;
  readonly firstReply: number | null; // minutes
  readonly resolution: number | null; // minutes until the last solve
}

/** A ticket whose measures differ from Zendesk's. */
interface Difference {
  readonly ticket: string;
  readonly measure: keyof Measures;
  readonly theirs: number | null;
  readonly ours: number | null;
  readonly reason: Reason;
}

/** The explanation of a difference: a merged ticket, answers of a machine, a ticket created by an agent, or none. */
type Reason = 'merge' | 'bot' | 'agent-made' | 'unexplained';

export interface CheckSummary {
  readonly compared: number; // number of tickets
  readonly differing: number; // number of tickets
  readonly reasons: Readonly<Partial<Record<Reason, number>>>; // number of differences by reason
  readonly differences: readonly Difference[]; // the first few
}

/** Compares the tickets of an import with Zendesk's own metrics. */
export interface Check {
  readonly compare: (ticket: string, rows: readonly Row[]) => void;
  readonly summary: () => CheckSummary;
}

const LISTED = 20;
const MEASURES = ['reopens', 'replies', 'firstReply', 'resolution'] as const;
const MERGED_LABEL = memberId('label', MERGED_TAG);

/** Reads ticket metrics in any envelope; keeps about 100 bytes in memory for each ticket. */
export async function openCheck(file: NamedBytes): Promise<Check> {
  const theirs = new Map<string, Measures>();
  for await (const cuts of readObjects(file.bytes, PAGES)) {
    for (const cut of cuts) {
      const measured = 'text' in cut ? metricOf(cut.text, cut.page) : undefined;
      if (measured) theirs.set(...measured);
    }
  }
  return newCheck(theirs);
}

function metricOf(text: string, page: string | undefined): [string, Measures] | undefined {
  const { kind, fields } = unwrap(parsedJson(text), page) ?? {};
  const ticket = zendeskId(fields?.ticket_id);
  if (kind !== 'ticket metric' || fields === undefined || ticket === null) return undefined;
  const minutes = (value: unknown): number | null => numberOf(isJsonObject(value) ? value.calendar : undefined);
  const measures = {
    reopens: numberOf(fields.reopens),
    replies: numberOf(fields.replies),
    firstReply: minutes(fields.reply_time_in_minutes),
    resolution: minutes(fields.full_resolution_time_in_minutes),
  };
  return [String(ticket), measures];
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

function newCheck(theirs: ReadonlyMap<string, Measures>): Check {
  const differences: Difference[] = [];
  const reasons: Partial<Record<Reason, number>> = {};
  let compared = 0;
  let differing = 0;
  return {
    compare: (ticket, rows) => {
      const their = theirs.get(ticket);
      if (their === undefined) return;
      compared += 1;
      const events = rows.flatMap((row) =>
        'records' in row ? row.records.filter(isEvent).filter((event) => !isOfAgent(event)) : [],
      );
      const found = differencesOf(ticket, their, events);
      if (found.length > 0) differing += 1;
      for (const difference of found) {
        reasons[difference.reason] = (reasons[difference.reason] ?? 0) + 1;
        if (differences.length < LISTED) differences.push(difference);
      }
    },
    summary: () => ({ compared, differing, reasons, differences }),
  };
}

function differencesOf(ticket: string, theirs: Measures, events: readonly CaseEvent[]): Difference[] {
  const ours = ownMeasures(ticket, events);
  return MEASURES.flatMap((measure) => {
    const [their, our] = [theirs[measure], ours[measure]];
    if (their === our || (their === null && our === 0)) return [];
    return [{ ticket, measure, theirs: their, ours: our, reason: reasonOf(events) }];
  });
}

/** Our measures of a ticket, in Zendesk's units. */
function ownMeasures(ticket: string, events: readonly CaseEvent[]): Measures {
  const { firstReply, lastResolve, isDone, reopens, replies } = measureCase(ticket, events);
  const minutes = (seconds: number | null): number | null => (seconds === null ? null : Math.floor(seconds / 60));
  return { reopens, replies, firstReply: minutes(firstReply), resolution: isDone ? minutes(lastResolve) : null };
}

/** Whether a ticket was merged into another. */
export const isMerged = (events: readonly CaseEvent[]): boolean =>
  events.some((event) => event.type === 'case.labels' && event.add?.includes(MERGED_LABEL));

function reasonOf(events: readonly CaseEvent[]): Reason {
  if (isMerged(events)) return 'merge';
  if (events.some((event) => event.type === 'interaction' && event.automated)) return 'bot';
  return events.some((event) => event.type === 'case.created' && event.agent !== undefined)
    ? 'agent-made'
    : 'unexplained';
}
