import type { CaseStatus } from '../../vocabulary.ts';

/** Events as the schemas of the records of `docs/import.md` return them. */

/** Microseconds since 1970-01-01T00:00:00Z, an integer: fractions order events (docs/rules.md 22). */
export type Instant = number;

/** The id of a case; an integer is stored as its decimal digits, so that 1001 and "1001" are one case. */
export type CaseKey = string;

/**
 * The version that an event belongs to (docs/design/versions.md): the time of the case's last change, the time of the
 * export, and the moment of the import. Compared part by part; null is smallest. One to three parts, the last one not
 * null.
 */
export type AsOf = readonly (Instant | null)[];

/** Where an event comes from. */
interface Origin {
  readonly source?: string; // 1-64 characters; absent: the log without a name
  readonly as_of?: AsOf; // only with a source; absent: the source is a log
}

interface CaseEventBase extends Origin {
  readonly id: string; // unique within its case and source
  readonly at: Instant;
  readonly case: CaseKey;
  readonly agent?: number; // who acted; absent: unknown
  readonly group?: number; // the group in which the agent acted; never derived from the agent
  readonly automated?: true; // an automated event has no actor
}

/** One event of a case. An absent optional key changes nothing, null clears. */
export type CaseEvent = CaseEventBase &
  (
    | {
        readonly type: 'case.created';
        readonly status?: Exclude<CaseStatus, 'new'>; // the case begins in it; absent: new
        readonly channel?: number | null;
        readonly priority?: number | null; // 1…10
        readonly company?: number | null;
        readonly labels?: readonly number[];
        readonly custom_fields?: Readonly<Record<string, string | null>>; // field id → value
        readonly language?: string | null;
      }
    | { readonly type: 'case.deleted' }
    | { readonly type: 'case.status'; readonly to: CaseStatus }
    | { readonly type: 'case.assigned'; readonly to: Assignee }
    | {
        readonly type: 'case.labels';
        readonly set?: readonly number[];
        readonly add?: readonly number[];
        readonly remove?: readonly number[];
      }
    | { readonly type: 'case.priority'; readonly priority: number | null }
    | { readonly type: 'case.company'; readonly company: number | null }
    | { readonly type: 'case.custom_field'; readonly field: number; readonly value: string | null }
    | { readonly type: 'case.viewed' }
    | { readonly type: 'case.handled'; readonly from: Instant; readonly to: Instant }
    | { readonly type: 'interaction'; readonly direction: 'inbound' | 'outbound' }
    | { readonly type: 'note' }
    | { readonly type: 'macro.applied'; readonly macro: number }
    | { readonly type: 'csat.rated'; readonly score: number | null }
    | (Mark & { readonly type: 'case.version' })
  );

/**
 * Says that a source has a version, perhaps without events. A mark is no event of the case: its id is empty, its time
 * 0.
 */
interface Mark {
  readonly source: string;
  readonly as_of: AsOf;
}

/** The assignee that a `case.assigned` names: null unassigns, absent keeps. It is also who acted (docs/rules.md 16). */
export interface Assignee {
  readonly agent?: number | null;
  readonly group?: number | null;
}

/** An agent's time online. It belongs to no case: agent and id identify it. */
export interface SessionEvent extends Origin {
  readonly type: 'agent.session';
  readonly id: string;
  readonly at: Instant;
  readonly agent: number;
  readonly from: Instant; // inclusive
  readonly to: Instant; // exclusive
}

/** The mark of an agent's sessions. */
export interface SessionMark extends Mark {
  readonly type: 'agent.version';
  readonly id: string;
  readonly at: Instant;
  readonly agent: number;
}

export type HistoryEvent = CaseEvent | SessionEvent | SessionMark;

/** Whether an event belongs to an agent; all other events belong to a case. */
export const isOfAgent = (event: HistoryEvent): event is SessionEvent | SessionMark =>
  event.type === 'agent.session' || event.type === 'agent.version';

/** Whether an event is a mark. */
export const isMark = (event: HistoryEvent): event is Extract<HistoryEvent, Mark> =>
  event.type === 'case.version' || event.type === 'agent.version';
