import * as z from 'zod';
import { ImportFault } from '../import-fault.ts';
import { carriesOffset, timeReader } from './times.ts';

const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const Table = z.record(z.string(), Scalar);
const Id = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const Name = z.string().trim().min(1).max(255);

/** A text stands for the column of that name. */
const columnOr = <S extends z.ZodType>(schema: S) =>
  z.preprocess((given) => (typeof given === 'string' ? { column: given } : given), schema);

const VALUE = {
  column: z.string().optional(),
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
const oneSource = (given: { column?: unknown; value?: unknown }) =>
  (given.column === undefined) !== (given.value === undefined);
const ONE_SOURCE = 'needs either "column" or "value"';

const Value = columnOr(z.strictObject(VALUE).refine(oneSource, ONE_SOURCE));
const Member = columnOr(z.strictObject(MEMBER).refine(oneSource, ONE_SOURCE));
const MemberList = columnOr(z.strictObject(MEMBERS).refine(oneSource, ONE_SOURCE));

const Formats = z.union([z.string(), z.array(z.string()).min(1)], 'is no time format, nor a list of them');
const Clock = { format: Formats.optional(), zone: z.string().optional() };
const Time = columnOr(z.strictObject({ column: z.string(), ...Clock }));

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
    ({ column, value }) => column === undefined || value === undefined, // neither: a field that only rules set
    'has both "column" and "value": leave one out',
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

const Rule = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('case.status'), to: RuleValue }),
  z.strictObject({ type: z.literal('case.assigned'), agent: RuleMember.optional(), group: RuleMember.optional() }),
  z.strictObject({ type: z.literal('case.priority'), priority: RuleValue }),
  z.strictObject({ type: z.literal('case.company'), company: RuleMember }),
  z.strictObject({
    type: z.literal('case.labels'),
    add: RuleMembers.optional(),
    remove: RuleMembers.optional(),
    set: RuleMembers.optional(),
  }),
  z.strictObject({ type: z.literal('case.custom_field'), field: z.string(), value: RuleValue }),
  z.strictObject({ type: z.literal('case.handled'), from: Time, to: Time }),
  z.strictObject({ type: z.literal('macro.applied'), macro: RuleMember }),
  z.strictObject({ type: z.literal('csat.rated'), score: RuleValue }),
  z.strictObject({ type: z.literal('interaction'), direction: RuleValue }),
  z.strictObject({ type: z.enum(['note', 'case.viewed', 'case.deleted']) }),
]);
const Rules = z.preprocess((given) => (Array.isArray(given) ? given : [given]), z.array(Rule));

const Activities = z.strictObject({
  ...COMMON,
  kind: z.literal('activities'),
  activity: z.string(),
  activities: z.record(z.string(), Rules),
  otherwise: z.union([z.enum(['ignore', 'reject']), Rules]).default('reject'),
  created: z
    .strictObject({ ...CreationWith.shape, by: z.array(z.string()).min(1).optional() }) // absent: the first row
    .optional(),
});

const Mapping = z.discriminatedUnion('kind', [Snapshots, Messages, Activities]);

export type Mapping = z.output<typeof Mapping>;
export type SnapshotsMapping = z.output<typeof Snapshots>;
export type MessagesMapping = z.output<typeof Messages>;
export type ActivitiesMapping = z.output<typeof Activities>;
export type ValueSpec = z.output<typeof Value>;
export type MemberSpec = z.output<typeof Member>;
export type MemberListSpec = z.output<typeof MemberList>;
export type TimeSpec = z.output<typeof Time>;
export type ActorSpec = z.output<typeof Actor>;
export type CreationSpec = z.output<typeof CreationWith>;
export type CustomFieldSpec = z.output<typeof CustomField>;
export type RuleSpec = z.output<typeof Rule>;

/** Parses a mapping file (docs/import.md). Throws `ImportFault` with one sentence that names the place in it. */
export function parseMapping(text: string, file: string): Mapping {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new ImportFault(`${file} is not JSON (${error instanceof Error ? error.message : error}): correct it.`);
  }
  const { data, error } = Mapping.safeParse(json);
  if (error === undefined) return checkedTimes(data, file);
  const [issue] = error.issues;
  const place = issue?.path.join('.') || 'the whole';
  throw new ImportFault(`${file}, at ${place}: ${issue?.message}. docs/import.md lists what a mapping can say.`);
}

/** Compiles every time of a mapping once, so that a wrong format or zone is found before the file is read. */
function checkedTimes(mapping: Mapping, file: string): Mapping {
  for (const { path, spec } of timesOf(mapping, [])) {
    const formats = [spec.format ?? mapping.time.format ?? 'iso'].flat();
    const zone = spec.zone ?? mapping.time.zone;
    try {
      timeReader(formats, zone);
    } catch (error) {
      if (error instanceof ImportFault) throw new ImportFault(`${file}, at ${path.join('.')}: ${error.message}`);
      throw error;
    }
    const bare = formats.find((format) => format !== 'iso' && !carriesOffset(format));
    if (zone === undefined && bare !== undefined) {
      throw new ImportFault(
        `${file}, at ${path.join('.')}: the time format "${bare}" has no offset, so name a zone, for example "time": {"zone": "UTC"}.`,
      );
    }
  }
  return mapping;
}

type PlacedTime = { readonly path: readonly string[]; readonly spec: TimeSpec };

function timesOf(mapping: Mapping, found: PlacedTime[]): PlacedTime[] {
  found.push({ path: ['at'], spec: mapping.at });
  if (mapping.created?.at) found.push({ path: ['created', 'at'], spec: mapping.created.at });
  if (mapping.kind !== 'activities') return found;
  for (const [activity, rules] of Object.entries(mapping.activities)) {
    for (const rule of rules) {
      if (rule.type !== 'case.handled') continue;
      found.push({ path: ['activities', activity, 'from'], spec: rule.from });
      found.push({ path: ['activities', activity, 'to'], spec: rule.to });
    }
  }
  return found;
}

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
