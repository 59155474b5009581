import * as z from 'zod';
import { keysOf, type Unchanging } from '../../typed-object.ts';
import { DURATION_UNITS } from '../../vocabulary.ts';

const certainty = z.enum(['proven', 'likely', 'open']);

/** How sure a reading is: the data shows it; words suggest it, and another reading is possible; nothing says it. */
export type Certainty = z.infer<typeof certainty>;

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

const role = z.enum(keysOf(FILE_ROLES));
const sure = { state: certainty, why: z.string() }; // why: one sentence without a full stop
const against = z.string().optional().meta({ description: 'What the file says against what was answered' });
const meaning = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const answer = z.union([meaning, z.record(z.string(), z.unknown())]);
const choice = z.object({ answer, text: z.string().meta({ description: 'For people' }) });

/** What a value means: a status, direction, activity or priority, a score, or null for nothing. */
export type Meaning = z.infer<typeof meaning>;
export type Choice = Unchanging<z.infer<typeof choice>>;

const value = z.object({
  value: z.string(),
  rows: z.int(), // in the whole file
  meaning: meaning.optional().meta({ description: 'Absent: unknown' }),
  against,
  ...sure,
});
const columnMeanings = z.object({
  role: z.enum(['status', 'direction', 'note', 'activity', 'priority', 'csat']),
  column: z.string(),
  choices: z.array(choice), // all meanings that a value of the role can have
  values: z.array(value),
});
const keptField = z.object({ column: z.string(), name: z.string(), ...sure });
const columnUnit = z.object({
  column: z.string(),
  choices: z.array(choice),
  unit: z.enum(DURATION_UNITS).nullable().meta({ description: 'null: no durations, or open' }),
  ...sure,
});

/** What a CSV without a mapping was understood as, as the table keeps it and replies show it. */
export const proposalShape = z.object({
  kind: z.enum(PROPOSED_KINDS).nullable(),
  roles: z.array(z.object({ role, label: z.string(), column: z.string().nullable(), against, ...sure })),
  meanings: z.array(columnMeanings),
  units: z.array(columnUnit).default([]).meta({ description: 'The units of columns of durations' }),
  fields: z.array(keptField).default([]).meta({ description: 'Columns that become custom fields, and their names' }),
  columns: z.array(z.string()).meta({ description: 'All columns of the file' }),
});
export type ShownProposal = Unchanging<z.infer<typeof proposalShape>>;

/** A column with its role; null: no column has it. */
export type RoleFinding = ShownProposal['roles'][number];
/** A column whose values have meanings: all its values. */
export type ColumnMeanings = ShownProposal['meanings'][number];
export type ValueFinding = ColumnMeanings['values'][number];
/** A column that becomes a custom field. */
export type KeptField = ShownProposal['fields'][number];
/** The roles whose values have meanings. */
export type MeaningRole = ColumnMeanings['role'];
/** The unit of a column of durations. */
export type ColumnUnit = ShownProposal['units'][number];

/** What a question may be about (docs/design/first-contact.md); `access` is asked of files over HTTP alone. */
const ABOUT = [
  'role',
  'meaning',
  'kind',
  'date_order',
  'clock',
  'encoding',
  'sheet',
  'rating_scale',
  'unit',
  'zero',
  'days',
  'zone',
  'priority_scale',
  'ended_when',
  'repeated',
  'newer_copy',
  'access',
] as const;

/** A question about the file; nothing loads while one is open. */
export const questionShape = z.object({
  id: z.string().meta({ description: 'The key of its answer' }), // stable: the same for the same question of the same file
  about: z.enum(ABOUT),
  role: role.optional(),
  column: z.string().optional(),
  text: z.string(),
  values: z
    .array(
      z.object({
        value: z.string(),
        rows: z.int(),
        filled: z.record(z.string(), z.int()).optional(), // by time column: rows that have it
        proposed: meaning,
        guess: z
          .boolean()
          .optional()
          .meta({ description: 'Nothing in the file tells it: what is proposed is a guess' }),
        effect: z.record(z.string(), z.record(z.string(), z.number())).optional(), // field → answer → its number
      }),
    )
    .optional(),
  choices: z.array(choice).meta({ description: 'Empty: any text' }), // such as a zone
  proposed: answer, // for values: the meaning of each
  examples: z.array(z.array(z.string())).optional().meta({ description: 'Rows of the file' }),
});
export type Question = Unchanging<z.infer<typeof questionShape>>;

/**
 * Answers by the ids of the questions. `kind`, `date_order`, `encoding`, `zone`, `role:<role>` (a column or null),
 * `meaning:<column>`, `unit:<column>` and `field:<column>` (the name of a custom field, or null for none) are taken
 * whether they were asked or not, so that a person can correct what was proven, too: the console's table of columns is
 * nothing but such answers.
 */
export type Answers = Readonly<Record<string, unknown>>;
