import * as z from 'zod';
import { principalShape } from '../access/principal.ts';
import { FATES } from '../history/cases/versions.ts';
import { proposalShape, type Question, questionShape } from '../import/proposal/proposal.ts';

/** The format and options that a person chose, which replace the recognised ones. */
export const choicesShape = z.object({
  format: z.string().optional(), // as in `support import --format`
  mapping: z.record(z.string(), z.unknown()).optional(), // the mapping of a CSV
  answers: z.record(z.string(), z.unknown()).optional(), // by the ids of questions
  zone: z.string().optional(), // zone of times without offset; absent: the site's
  source: z.string().optional(),
  complete: z.boolean().optional(), // the file has all cases of its source
  agreed: z.record(z.string(), principalShape).optional().catch(undefined), // who agreed to each change of users and settings, by its text
});
export type UploadChoices = z.infer<typeof choicesShape>;

export const noteShape = z.object({ what: z.string(), why: z.string(), is_sure: z.boolean() });
export const previewShape = z.union([
  z.object({ header: z.array(z.string()), rows: z.array(z.array(z.string())) }),
  z.object({ lines: z.array(z.string()) }),
]);

/** Questions as the table keeps them and replies show them. */
export const shownQuestions = (questions: readonly Question[]) =>
  z.array(questionShape).parse(
    questions.map((question) => ({
      ...question,
      examples: question.examples?.slice(0, EXAMPLES).map((row) => row.map((cell) => cell.slice(0, CELL))),
    })),
  );

const EXAMPLES = 3;
const CELL = 120; // characters

/** The recognised format, mapping and sources of a file. */
export const understandingShape = z.object({
  format: z.string(),
  why: z.string(),
  mapping: z.record(z.string(), z.unknown()).nullable(),
  notes: z.array(noteShape), // the proposed mapping explained
  preview: previewShape,
  questions: z.array(questionShape).default([]),
  proposal: proposalShape.nullable().default(null),
  form: z.string().nullable().default(null), // by which a newer copy of the file is recognised
  source: z.string(), // the source of its events
  sources: z.array(z.string()), // that source and those in its records
});
export type Understanding = z.infer<typeof understandingShape>;

const counts = z.record(z.string(), z.int());
export const outcomeShape = z.object({
  records: counts, // well-formed records by type
  events: z.int(),
  added: z.int(),
  replaced: z.int(),
  unchanged: z.int(),
  superseded: z.int(),
  removed: z.int(),
  left_out: z.int().default(0).meta({ description: 'Events that were refused or erased, so that the numbers add up' }),
  cases: z
    .object({ added: z.int(), changed: z.int(), gone: z.int().nullable() })
    .nullable()
    .default(null)
    .meta({ description: 'gone: null unless the file is complete, and after loading' }),
  first_at: z.string().nullable().default(null).meta({ description: 'The first time of its events' }),
  last_at: z.string().nullable().default(null),
  rejected: z.int(), // lines
  rejections: z.array(z.object({ reason: z.string(), count: z.int(), first: z.array(z.string()) })),
  ignored: counts,
  warnings: z.array(z.string()),
  stories: z
    .array(
      z.object({
        case: z.string(),
        events: z.array(
          z.object({ at: z.string(), type: z.string(), what: z.string().meta({ description: 'In words' }) }),
        ),
      }),
    )
    .default([])
    .meta({ description: 'The first cases in words, after a check' }),
});

/** The result of an import or of its dry run. */
export type ImportOutcome = z.infer<typeof outcomeShape>;

export const progressShape = z.object({
  step: z.enum(['reading', 'storing', 'folding']),
  share: z.number().nullable(), // share of the step that is done, 0…1
  events: z.int(), // so far
});
export type UploadProgress = z.infer<typeof progressShape>;

const fateCounts = z.record(z.enum(FATES), z.int());

/** What earlier steps of a work have merged (docs/design/uploads.md). */
export const mergedShape = z.object({
  groups: z.array(z.string()), // digests
  cases: z.object({ added: z.int(), changed: z.int() }).default({ added: 0, changed: 0 }),
  fates: z.record(z.string(), fateCounts), // counts by type of event
  removed: z.int(),
  erased: z.int(),
});
export type MergedSoFar = z.infer<typeof mergedShape>;
