import * as z from 'zod';
import { decoding } from '../formats/encodings.ts';
import { Rules } from './mapping-rules.ts';
import {
  actorShape,
  clockShape,
  conditionShape,
  customFieldShape,
  listed,
  MemberList,
  memberShape,
  patternText,
  Time,
  Value,
} from './mapping-values.ts';

/** The attributes of a case. */
const ATTRIBUTES = {
  channel: memberShape.optional(),
  priority: Value.optional(),
  company: memberShape.optional(),
  labels: MemberList.optional(),
  custom_fields: z.array(customFieldShape).default([]),
};
const Creation = z.strictObject({ at: Time.optional(), agent: memberShape.optional(), group: memberShape.optional() });

/** The order of a case's rows with equal times: by columns, then by line, ascending or descending. */
const OrderParts = z.strictObject({
  columns: z.array(z.string()).default([]),
  lines: z.enum(['ascending', 'descending']).default('ascending'),
});
const Order = z.preprocess(
  (written: string[] | 'ascending' | 'descending' | z.input<typeof OrderParts>) =>
    Array.isArray(written) ? { columns: written } : typeof written === 'string' ? { lines: written } : written,
  OrderParts,
);

const isEncoding = (label: string): boolean => decoding(label) !== undefined;

const FILE = {
  csv: z
    .strictObject({
      separator: z.string().length(1).default(','),
      quote: z.string().max(1).default('"'),
      skip: z.int().min(0).default(0), // lines before the header
      encoding: z.string().refine(isEncoding, 'is not a text encoding').default('utf-8'),
      columns: z.array(z.string()).min(1).optional(), // names of the columns, for a file without header
      null: z.array(z.string()).default([]), // texts that count as an empty cell
    })
    .prefault({}),
  time: z.strictObject(clockShape).prefault({}),
  when: conditionShape.optional(), // rows that do not meet it are ignored
};

const COMMON = {
  ...FILE,
  source: z.string().max(60).default(''), // prefix of the ids of events, so that ids of two sources never collide
  as_of: Time.optional(), // when the case last changed, according to the export
  case: Value,
  order: Order.prefault({}),
  gone: listed(Value).optional(), // rows of which one of these is true were deleted: their case goes on without them
  repeats: z.enum(['keep', 'ignore']).default('keep'), // for rows of a case that are equal in all used columns
};
const DATED = { ...COMMON, at: Time, actor: actorShape.prefault({}) };

/** Whether columns that the mapping does not name become custom fields of the case. */
const OTHERS = {
  otherwise: z.literal('custom_field').optional(),
  ignore: z.array(z.string()).default([]), // columns that do not become custom fields
};

const Snapshots = z.strictObject({
  ...DATED,
  ...ATTRIBUTES,
  ...OTHERS,
  kind: z.literal('snapshots'),
  created: Creation.prefault({}),
  status: Value.optional(),
  agent: memberShape.optional(),
  group: memberShape.optional(),
  csat: Value.optional(),
});

const CreationWith = z.strictObject({ ...Creation.shape, ...ATTRIBUTES });

const Messages = z.strictObject({
  ...DATED,
  kind: z.literal('messages'),
  key: z.array(z.string()).min(1),
  /** How ids of events are made: prefix, then the column's text, padded with zeros to `digits`. */
  id: z.strictObject({ column: z.string(), prefix: z.string(), digits: z.int().max(30).default(0) }).optional(),
  direction: Value,
  note: Value.optional(),
  call_end: Time.optional(), // of a call: it is handled from its time to this one
  created: CreationWith.optional(),
});

/** Returns the regular expression of an activity that is written between slashes; else undefined. */
export const activityPattern = (activity: string): string | undefined => /^\/(.+)\/$/.exec(activity)?.[1];

const Activities = z.strictObject({
  ...DATED,
  kind: z.literal('activities'),
  activity: Value,
  activities: z.record(patternText(activityPattern), Rules), // `/…/` is a pattern
  otherwise: z.union([z.enum(['ignore', 'reject']), Rules]).default('reject'),
  created: z
    .strictObject({ ...CreationWith.shape, by: z.array(z.string()).min(1).optional() }) // `by` absent: the first row
    .optional(),
});

/** The kind with one row for each ticket. */
const Tickets = z.strictObject({
  ...COMMON,
  ...ATTRIBUTES,
  ...OTHERS,
  kind: z.literal('tickets'),
  created: Time,
  requester: Value.optional(),
  creator: memberShape.optional(), // the agent who created it
  submitter: Value.optional(), // if it differs from the requester, the creation is no inbound message
  replied: Time.optional(), // time of the first reply
  assigned: Time.optional(), // absent: the time of the creation
  agent: memberShape.optional(),
  group: memberShape.optional(),
  solved: Time.optional(),
  closed: Time.optional(), // the time of the close; it counts as the solve where that is empty
  ended_when: z.union([z.literal('unknown'), Time]).optional(), // of rows that are done and have neither; absent: the last update
  inbound: z.boolean().default(true), // the creation is an inbound message too
  status: Value.optional(), // present status
  csat: Value.optional(),
  updated: Time.optional(), // time of the last update; absent: the last of the other times
});

/** The kind whose rows are reference records. */
const MembersKind = z.strictObject({
  ...FILE,
  kind: z.literal('members'),
  type: z.enum(['agent', 'group', 'label', 'channel', 'company', 'custom_field']),
  id: Value.optional(), // absent: made from the name
  name: Value,
  deleted: Value.optional(),
  updated_at: Time.optional(),
  login: Value.optional(), // only for agents
  groups: MemberList.optional(), // only for agents
});

/** The schema of a mapping file (docs/import/mappings.md). */
export const Mapping = z.discriminatedUnion('kind', [Snapshots, Messages, Activities, Tickets, MembersKind]);

export type Mapping = z.output<typeof Mapping>;
/** A mapping as a person writes it, without what is as usual. */
export type WrittenMapping = z.input<typeof Mapping>;
export type SnapshotsMapping = z.output<typeof Snapshots>;
export type MessagesMapping = z.output<typeof Messages>;
export type ActivitiesMapping = z.output<typeof Activities>;
export type TicketsMapping = z.output<typeof Tickets>;
export type MembersMapping = z.output<typeof MembersKind>;
/** A mapping whose rows belong to cases. */
export type CaseMapping = Exclude<Mapping, MembersMapping>;
export type CreationSpec = z.output<typeof CreationWith>;
