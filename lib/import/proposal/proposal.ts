import type { DurationUnit } from '../mapping/durations.ts';

/** How sure a reading is: the data shows it; words suggest it, and another reading is possible; nothing says it. */
export type Certainty = 'proven' | 'likely' | 'open';

/** The kinds of mapping that a file can get without a person writing it. */
export const PROPOSED_KINDS = ['tickets', 'snapshots', 'activities', 'messages'] as const;
export type ProposedKind = (typeof PROPOSED_KINDS)[number];

/** What a column may hold: what it is called in a table, and in a sentence. */
export const FILE_ROLES = {
  case: { label: 'Case', text: 'the id of the case' },
  created: { label: 'Created at', text: 'the time of the creation' },
  updated: { label: 'Updated at', text: 'the time of the last update' },
  replied: { label: 'First reply at', text: 'the time of the first reply' },
  replied_after: { label: 'Time to first reply', text: 'the time from the creation to the first reply' },
  solved: { label: 'Solved at', text: 'the time of the solve' },
  solved_after: { label: 'Time to solve', text: 'the time from the creation to the solve' },
  closed: { label: 'Closed at', text: 'the time of the close' },
  due: { label: 'Due at', text: 'a target' },
  at: { label: 'Time', text: 'the time of a row' },
  activity: { label: 'Activity', text: 'what happened' },
  direction: { label: 'Direction', text: 'the direction of a message' },
  note: { label: 'Internal note', text: 'the mark of internal notes' },
  message: { label: 'Message', text: 'the id of a message' },
  status: { label: 'Status', text: 'the status' },
  priority: { label: 'Priority', text: 'the priority' },
  csat: { label: 'Rating', text: 'the rating' },
  zone: { label: 'Time zone', text: 'the time zone' },
  assignee: { label: 'Assignee', text: 'the agent to whom the case is assigned' },
  actor: { label: 'Who acted', text: 'who acted' },
  group: { label: 'Group', text: 'the group' },
  requester: { label: 'Requester', text: 'the requester' },
  submitter: { label: 'Submitter', text: 'who filed the case' },
  company: { label: 'Company', text: 'the company' },
  channel: { label: 'Channel', text: 'the channel' },
  labels: { label: 'Labels', text: 'the labels' },
  type: { label: 'Type', text: 'the type' },
  subject: { label: 'Subject', text: 'the subject' },
} as const;
export type FileRole = keyof typeof FILE_ROLES;

/** A column with its role; null: no column has it. */
export interface RoleFinding {
  readonly role: FileRole;
  readonly label: string; // for people: `Created at`
  readonly column: string | null;
  readonly state: Certainty;
  readonly why: string; // one sentence without a full stop
}

/** What a value means: a status, direction, activity or priority, a score, or null for nothing. */
export type Meaning = string | number | boolean | null;

/** The roles whose values have meanings. */
export type MeaningRole = 'status' | 'direction' | 'note' | 'activity' | 'priority' | 'csat';

export interface ValueFinding {
  readonly value: string;
  readonly rows: number; // in the whole file
  readonly meaning: Meaning | undefined; // undefined: unknown
  readonly state: Certainty;
  readonly why: string;
}

/** A column whose values have meanings: all its values. */
export interface ColumnMeanings {
  readonly role: MeaningRole;
  readonly column: string;
  readonly choices: readonly Choice[]; // all meanings that a value of the role can have
  readonly values: readonly ValueFinding[];
}

/** The unit of a column of durations. */
export interface ColumnUnit {
  readonly column: string;
  readonly choices: readonly Choice[];
  readonly unit: DurationUnit | null; // null: the numbers are no durations, or it is open
  readonly state: Certainty;
  readonly why: string;
}

/** What a question may be about (docs/design/first-contact.md). */
type About =
  | 'role'
  | 'meaning'
  | 'kind'
  | 'date_order'
  | 'clock'
  | 'encoding'
  | 'sheet'
  | 'rating_scale'
  | 'unit'
  | 'zero'
  | 'days'
  | 'zone'
  | 'priority_scale'
  | 'ended_when'
  | 'repeated'
  | 'newer_copy';

/** A time that is counted from another one: the end of a case by its duration. */
export interface LaterTime {
  readonly column: string;
  readonly plus: { readonly column: string; readonly unit: string; readonly null?: readonly string[] };
}

/** An answer to one question; to a question about meanings it has an entry for each value. */
type GivenAnswer = string | null | LaterTime | Readonly<Record<string, Meaning>>;

/**
 * Answers by the ids of the questions. `kind`, `date_order`, `encoding`, `zone`, `role:<role>` (a column or null),
 * `meaning:<column>` and `unit:<column>` are taken whether they were asked or not, so that a person can correct what was proven, too: the
 * console's table of columns is nothing but such answers.
 */
export type Answers = Readonly<Record<string, unknown>>;

export interface Choice {
  readonly answer: Meaning | LaterTime;
  readonly text: string;
}

/** A value that a question is about. */
interface QuestionValue {
  readonly value: string;
  readonly rows: number;
  readonly filled?: Readonly<Record<string, number>>; // by time column: rows that have it
  readonly proposed: Meaning;
  readonly effect?: Readonly<Record<string, Readonly<Record<string, number>>>>; // field → answer → its number
}

/** What the file leaves open. Nothing loads while there is one. */
export interface Question {
  readonly id: string; // stable: the same question of the same file has the same id
  readonly about: About;
  readonly role?: FileRole;
  readonly column?: string;
  readonly text: string;
  readonly values?: readonly QuestionValue[];
  readonly choices: readonly Choice[]; // empty: any text, such as a zone
  readonly proposed: GivenAnswer;
  readonly examples?: readonly (readonly string[])[]; // rows of the file
}

/** What a file was understood as. */
export interface Proposal {
  readonly kind: ProposedKind | undefined;
  readonly roles: readonly RoleFinding[]; // one for each role that the kind knows, found or not
  readonly meanings: readonly ColumnMeanings[];
  readonly units: readonly ColumnUnit[];
  readonly questions: readonly Question[];
  readonly mapping: Readonly<Record<string, unknown>> | undefined; // as `parseMapping` takes it; undefined while a question is open
  readonly notes: readonly string[]; // sentences about what is not used or stays unknown
  readonly ignored: readonly string[]; // ids of answers to questions that do not arise
  readonly refusal: string | undefined; // one sentence if the file can be read in no way
}
