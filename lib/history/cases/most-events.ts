import { parseSubject, type Subject } from './subject.ts';

/**
 * The most events of one case, and sessions of one agent. Reports need all of them in memory at once, at about 500
 * bytes each; a case of real exports has some thousand at most.
 */
export const MOST_EVENTS = { case: 200_000, agent: 1_000_000 } as const;

/** A case or an agent has more events than may be stored. */
export class TooManyEvents extends Error {
  readonly subject: Subject;
  readonly line: number | undefined; // line in its file of an event that is too many; undefined: it comes from no file

  constructor(subject: Subject, line?: number) {
    super(whyTooMany(subject));
    this.name = 'TooManyEvents';
    this.subject = subject;
    this.line = line;
  }
}

/** Whether a case or an agent may not have so many events. */
export function areTooMany(subject: Subject, count: number): boolean {
  if (count <= MOST_EVENTS.case) return false;
  return 'case' in parseSubject(subject) || count > MOST_EVENTS.agent;
}

const SHOWN = 60; // characters of a case's key

/** Why further events are refused. */
export function whyTooMany(subject: Subject): string {
  const owner = parseSubject(subject);
  if ('agent' in owner)
    return `agent ${owner.agent} has more than ${MOST_EVENTS.agent.toLocaleString('en')} sessions, the most that an agent may have`;
  return `case ${JSON.stringify(owner.case.slice(0, SHOWN))} has more than ${MOST_EVENTS.case.toLocaleString('en')} events, the most that a case may have`;
}
