import { keysOf } from './typed-object.ts';

/** The lists of the domain, each once. */

/** The statuses of a case. Stored data holds their indices, so a new status goes last. */
export const CASE_STATUSES = ['new', 'open', 'pending', 'resolved', 'closed'] as const;
export type CaseStatus = (typeof CASE_STATUSES)[number];

/** The statuses that a person can set. */
export const GIVEN_STATUSES = ['open', 'pending', 'resolved', 'closed'] as const satisfies readonly CaseStatus[];

/** What a source of history can tell, each with how people call it after "No data on". Stored data holds the names. */
export const TELLINGS = {
  creations: 'creations',
  customer_messages: 'messages of customers',
  first_replies: 'first replies',
  replies: 'replies',
  notes: 'notes',
  statuses: 'statuses',
  resolves: 'resolves',
  reopens: 'reopens',
  ratings: 'ratings',
  labels: 'labels',
  handling: 'handling',
} as const;
export type Telling = keyof typeof TELLINGS;
export const ALL_TELLINGS = keysOf(TELLINGS);

export const WEEK_DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type WeekDay = (typeof WEEK_DAYS)[number];

/** The days of a calendar's hours. */
export const CALENDAR_DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** What a label may be put on. */
export const LABEL_TYPES = ['case', 'macro', 'company', 'opportunity'] as const;

/** The colours of labels that the original's Java client knows. */
export const LABEL_COLORS = [
  ...(['default', 'blue', 'teal', 'green', 'yellow', 'orange', 'red'] as const),
  ...(['pink', 'purple', 'brown', 'black', 'grey', 'white'] as const),
] as const;

/** The kinds of values of custom fields. */
export const DATA_TYPES = ['string', 'boolean', 'integer', 'date', 'list'] as const;

/** The ten roles of users. */
export const ROLES = [
  'Agent',
  'Reporting Agent',
  'Workflow Manager',
  'Knowledgebase Manager',
  'Content Manager',
  'Business Manager',
  'Administrative Manager',
  'Administrator',
  'Knowledgebase Administrator',
  'Billing Administrator',
] as const;
export type Role = (typeof ROLES)[number];

/** What a role may do beside reading. `settings`: a site's settings, its users and their tokens, and the audit. */
export type Right = 'insights' | 'write' | 'import' | 'settings';

/** The rights of each role. */
export const RIGHTS: Readonly<Record<Role, readonly Right[]>> = {
  Agent: [],
  'Reporting Agent': [],
  'Workflow Manager': ['insights'],
  'Knowledgebase Manager': ['insights', 'write'],
  'Content Manager': ['insights', 'write'],
  'Business Manager': ['insights', 'write'],
  'Administrative Manager': ['insights', 'write'],
  Administrator: ['insights', 'write', 'import', 'settings'],
  'Knowledgebase Administrator': ['insights', 'write'],
  'Billing Administrator': ['insights', 'write', 'import'],
};

/** The ways in which a column may write durations (docs/import/mappings.md, Values). */
export const DURATION_UNITS = ['seconds', 'minutes', 'hours', 'days', 'clock', 'short_clock', 'words'] as const;
export type DurationUnit = (typeof DURATION_UNITS)[number];
