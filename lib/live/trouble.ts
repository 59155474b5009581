import { MOST_EVENTS } from '../history/cases/most-events.ts';
/** What can go wrong with a help desk (docs/live.md), as a connection's `error.code` says it. */
export const TROUBLES = [
  'limited',
  'unreachable',
  'refused',
  'changed',
  'redirected',
  'too_large',
  'case',
  'forbidden',
] as const;
export type DeskTroubleCode = (typeof TROUBLES)[number];

interface TroubleDetails {
  readonly wait?: number;
  readonly status?: number;
  readonly case?: string;
}

/** A help desk did not answer as it should; the message is for people and holds no secret. */
export class DeskTrouble extends Error {
  readonly code: DeskTroubleCode;
  readonly wait: number; // ms before which nothing may be sent; 0: by the usual steps
  readonly status: number | undefined; // of the answer
  readonly case: string | undefined; // the id of the only case that it is about; undefined: not known

  constructor(code: DeskTroubleCode, message: string, { wait = 0, status, case: id }: TroubleDetails = {}) {
    super(message);
    this.name = 'DeskTrouble';
    this.code = code;
    this.wait = wait;
    this.status = status;
    this.case = id;
  }
}

const LONGEST = 200; // characters of a help desk's own words

/** A help desk's words for people: without control characters and secrets, cut. */
export const cleanWords = (words: string, secrets: readonly string[]): string =>
  secrets
    .filter((secret) => secret !== '')
    .reduce((text, secret) => text.replaceAll(secret, '***'), words)
    .replaceAll(/\p{C}+/gu, ' ')
    .slice(0, LONGEST);

/** A case has more events than the service takes. */
export const tooManyEvents = (id: string): DeskTrouble =>
  new DeskTrouble('too_large', `Case ${id} has more than ${MOST_EVENTS.case} events.`, { case: id });

/** Throws if a help desk has told more of a case than the events that one may have. */
export function checkEventCount(id: string, count: number): void {
  if (count > MOST_EVENTS.case) throw tooManyEvents(id);
}

/** A help desk that answers, and that cannot be connected as it is set up; the message says why. */
export class Unfit extends Error {
  readonly field: 'url' | 'account'; // of the connection, which is wrong

  constructor(message: string, field: Unfit['field'] = 'url') {
    super(message);
    this.name = 'Unfit';
    this.field = field;
  }
}
