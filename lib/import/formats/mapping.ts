import * as z from 'zod';

const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const Table = z.record(z.string(), Scalar);
const Id = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const Name = z.string().trim().min(1).max(255);

/** A text stands for the column of that name. */
const columnOr = <S extends z.ZodType>(schema: S) =>
  z.preprocess((given) => (typeof given === 'string' ? { column: given } : given), schema);

/** Where a text comes from: one column, or several whose cells are joined. */
const SOURCE = {
  column: z.string().optional(),
  columns: z.array(z.string()).min(1).optional(),
  join: z.string().default(' '), // stands between the cells of `columns` that are not empty
};
const VALUE = {
  ...SOURCE,
  value: Scalar.optional(), // a constant instead of a column
  pattern: z.string().refine(isPattern, 'is no regular expression').optional(), // its first group is taken
  table: Table.optional(),
  default: Scalar.optional(), // for an empty cell, or a text that the table lacks
};
const MEMBER = {
  ...VALUE,
  ids: z.record(z.string(), Id).optional(), // ids of members by name; the others' are made from their names
  is_id: z.boolean().optional(), // the text is an id already
};
const MEMBERS = { ...MEMBER, split: z.string().min(1).optional() }; // `split` stands between the names in a cell
type Given = { readonly column?: unknown; readonly columns?: unknown; readonly value?: unknown };
const sources = ({ column, columns, value }: Given) =>
  [column, columns, value].filter((one) => one !== undefined).length;
const oneSource = (given: Given) => sources(given) === 1;
const ONE_SOURCE = 'needs either "column", "columns" or "value"';

const Value = columnOr(z.strictObject(VALUE).refine(oneSource, ONE_SOURCE));
const Member = columnOr(z.strictObject(MEMBER).refine(oneSource, ONE_SOURCE));
const MemberList = columnOr(z.strictObject(MEMBERS).refine(oneSource, ONE_SOURCE));

const Formats = z.union([z.string(), z.array(z.string()).min(1)], 'is no time format, nor a list of them');
const Clock = { format: Formats.optional(), zone: z.string().optional() };
const Time = columnOr(z.strictObject({ ...SOURCE, ...Clock }).refine(oneSource, 'needs either "column" or "columns"'));

const Actor = z.strictObject({ agent: Member.optional(), group: Member.optional(), automated: Value.optional() });

const CustomField = z
  .strictObject({
    ...VALUE,
    name: Name,
    id: Id.min(1).optional(),
    object: z.enum(['case', 'customer']).default('case'),
    values: z.union([z.literal(true), z.array(Name)]).optional(), // true: those that the file holds; absent: free text
  })
  .refine(
    (given) => sources(given) < 2, // none: a field that only rules set
    'has more than one of "column", "columns" and "value": leave one',
  );

/** What a case is: where the kind says so, at its creation alone. */
const ATTRIBUTES = {
  channel: Member.optional(),
  priority: Value.optional(),
  company: Member.optional(),
  labels: MemberList.optional(),
  custom_fields: z.array(CustomField).default([]),
};
const Creation = z.strictObject({ at: Time.optional(), agent: Member.optional(), group: Member.optional() });

const COMMON = {
  source: z.string().max(60).default(''), // put before the ids of events, to keep two sources of one case apart
  csv: z
    .strictObject({
      separator: z.string().length(1).default(','),
      quote: z.string().max(1).default('"'),
      skip: z.int().min(0).default(0), // lines before the header
      encoding: z.string().refine(isEncoding, 'is no text encoding').default('utf-8'),
      columns: z.array(z.string()).min(1).optional(), // of a file without header
      null: z.array(z.string()).default([]), // texts that mean nothing, beside the empty one
    })
    .prefault({}),
  time: z.strictObject(Clock).prefault({}),
  case: Value,
  at: Time,
  order: z.array(z.string()).default([]), // columns that order rows of one time
  actor: Actor.prefault({}),
};

const Snapshots = z.strictObject({
  ...COMMON,
  ...ATTRIBUTES,
  kind: z.literal('snapshots'),
  created: Creation.prefault({}),
  status: Value.optional(),
  agent: Member.optional(),
  group: Member.optional(),
  csat: Value.optional(),
});

const CreationWith = z.strictObject({ ...Creation.shape, ...ATTRIBUTES });

const Messages = z.strictObject({
  ...COMMON,
  kind: z.literal('messages'),
  key: z.array(z.string()).min(1),
  direction: Value,
  note: Value.optional(),
  created: CreationWith.optional(),
});

/** In a rule a plain text is itself, not a column. */
const literalOr = <S extends z.ZodType>(schema: S) =>
  z.preprocess((given) => (typeof given === 'object' && given !== null ? given : { value: given }), schema);
const RuleValue = literalOr(z.strictObject(VALUE).refine(oneSource, ONE_SOURCE));
const RuleMember = literalOr(z.strictObject(MEMBER).refine(oneSource, ONE_SOURCE));
const RuleMembers = z.preprocess(
  (given) => (Array.isArray(given) ? given : [given]),
  z.array(literalOr(z.strictObject(MEMBERS).refine(oneSource, ONE_SOURCE))),
);

const WHEN = { at: Time.optional() }; // where the event did not happen at the row's own time
const Rule = z.discriminatedUnion('type', [
  z.strictObject({ ...WHEN, type: z.literal('case.status'), to: RuleValue }),
  z.strictObject({
    ...WHEN,
    type: z.literal('case.assigned'),
    agent: RuleMember.optional(),
    group: RuleMember.optional(),
  }),
  z.strictObject({ ...WHEN, type: z.literal('case.priority'), priority: RuleValue }),
  z.strictObject({ ...WHEN, type: z.literal('case.company'), company: RuleMember }),
  z.strictObject({
    ...WHEN,
    type: z.literal('case.labels'),
    add: RuleMembers.optional(),
    remove: RuleMembers.optional(),
    set: RuleMembers.optional(),
  }),
  z.strictObject({ ...WHEN, type: z.literal('case.custom_field'), field: z.string(), value: RuleValue }),
  z.strictObject({ ...WHEN, type: z.literal('case.handled'), from: Time, to: Time }),
  z.strictObject({ ...WHEN, type: z.literal('macro.applied'), macro: RuleMember }),
  z.strictObject({ ...WHEN, type: z.literal('csat.rated'), score: RuleValue }),
  z.strictObject({ ...WHEN, type: z.literal('interaction'), direction: RuleValue }),
  z.strictObject({ ...WHEN, type: z.enum(['note', 'case.viewed', 'case.deleted']) }),
]);
const Rules = z.preprocess((given) => (Array.isArray(given) ? given : [given]), z.array(Rule));

const Activities = z.strictObject({
  ...COMMON,
  kind: z.literal('activities'),
  activity: Value,
  activities: z.record(z.string(), Rules),
  otherwise: z.union([z.enum(['ignore', 'reject']), Rules]).default('reject'),
  created: z
    .strictObject({ ...CreationWith.shape, by: z.array(z.string()).min(1).optional() }) // absent: the first row
    .optional(),
});

/** What a mapping file holds (docs/import.md). */
export const Mapping = z.discriminatedUnion('kind', [Snapshots, Messages, Activities]);

export type Mapping = z.output<typeof Mapping>;
export type SnapshotsMapping = z.output<typeof Snapshots>;
export type MessagesMapping = z.output<typeof Messages>;
export type ActivitiesMapping = z.output<typeof Activities>;
export type ValueSpec = z.output<typeof Value>;
export type MemberSpec = z.output<typeof Member>;
export type MemberListSpec = z.output<typeof MemberList>;
export type SourceSpec = Pick<ValueSpec, 'column' | 'columns' | 'join'>;
export type TimeSpec = z.output<typeof Time>;
export type ActorSpec = z.output<typeof Actor>;
export type CreationSpec = z.output<typeof CreationWith>;
export type CustomFieldSpec = z.output<typeof CustomField>;
export type RuleSpec = z.output<typeof Rule>;

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

function isEncoding(label: string): boolean {
  try {
    new TextDecoder(label);
    return true;
  } catch {
    return false;
  }
}
