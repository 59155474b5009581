import * as z from 'zod';
import { DURATION_UNITS } from './durations.ts';

/** The values that a mapping names: where a text comes from and what is made of it (docs/import.md, Values). */
const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const Table = z.record(z.string(), Scalar);
const Id = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
export const Name = z.string().trim().min(1).max(255);

/** One thing or a list of them, as a list. */
const listed = <S extends z.ZodType>(schema: S) =>
  z.preprocess((given) => (Array.isArray(given) || given === undefined ? given : [given]), z.array(schema));

/** A text stands for the column of that name. */
export const columnOr = <S extends z.ZodType>(schema: S) =>
  z.preprocess((given) => (typeof given === 'string' ? { column: given } : given), schema);

/** Where a text comes from: one column, or several whose cells are joined. */
const SOURCE = {
  column: z.string().optional(),
  columns: z.array(z.string()).min(1).optional(),
  join: z.string().default(' '), // stands between the cells of `columns` that are not empty
};

/** Another file, in which what was found is looked up. */
const Lookup = z.strictObject({
  file: z.string().min(1), // beside the mapping
  key: z.string(), // its column that is compared
  value: z.string(), // its column that is taken
  when: z.strictObject({ column: z.string(), is: z.array(z.string()) }).optional(), // rows that count
  optional: z.boolean().default(false), // of a pack: without the file, or the text in it, there is nothing
});

const PLAIN = {
  ...SOURCE,
  value: Scalar.optional(), // a constant instead of a column
  pattern: z.string().refine(isPattern, 'is not a regular expression').optional(), // its first group is taken
  lookup: listed(Lookup).optional(), // one after the other
  table: Table.optional(),
  default: Scalar.optional(), // for an empty cell, or a text that the table lacks
};
type Given = { readonly column?: unknown; readonly columns?: unknown; readonly value?: unknown };
export const sources = ({ column, columns, value }: Given) =>
  [column, columns, value].filter((one) => one !== undefined).length;
export const oneSource = (given: Given) => sources(given) === 1;
export const ONE_SOURCE = 'needs either "column", "columns" or "value"';

const PlainValue = columnOr(z.strictObject(PLAIN).refine(oneSource, ONE_SOURCE));

/** What is read where nothing comes of a value. */
const Instead = columnOr(
  z
    .strictObject({ ...PLAIN, equals: PlainValue.optional(), else: PlainValue.optional() })
    .refine(oneSource, ONE_SOURCE),
);

export const VALUE = {
  ...PLAIN,
  equals: PlainValue.optional(), // before pattern and table: whether it is this value too, as "true" or "false"
  else: Instead.optional(), // where nothing comes of it
};
export const MEMBER = {
  ...VALUE,
  ids: z.record(z.string(), Id).optional(), // ids of members by name; the others' are made from their names
  is_id: z.boolean().optional(), // the text is an id already
  usual: z.boolean().optional(), // a channel by its usual name: `mail`, `E-mail` and `Email` are one
};
export const MEMBERS = { ...MEMBER, split: z.string().min(1).optional() }; // `split` stands between the names in a cell
export const Value = columnOr(z.strictObject(VALUE).refine(oneSource, ONE_SOURCE));
export const memberShape = columnOr(z.strictObject(MEMBER).refine(oneSource, ONE_SOURCE));
export const MemberList = columnOr(z.strictObject(MEMBERS).refine(oneSource, ONE_SOURCE));

/** Whether a row, or an event of it, counts: a value that is, or is not, one of some texts. An empty cell is "". */
export const conditionShape = z
  .strictObject({ ...VALUE, is: listed(z.string()).optional(), not: listed(z.string()).optional() })
  .refine(oneSource, ONE_SOURCE)
  .refine(({ is, not }) => (is === undefined) !== (not === undefined), 'needs either "is" or "not"');

const Formats = z.union(
  [z.string(), z.array(z.string()).min(1)],
  'is neither a time format nor a list of time formats',
);
export const clockShape = { format: Formats.optional(), zone: z.string().optional() };
/** What is added to a time; `clock` is hours, minutes and seconds with colons, `words` is such as `3 hours 20 min`. */
const Plus = z.strictObject({ column: z.string(), unit: z.enum(DURATION_UNITS) });
export const Time = columnOr(
  z
    .strictObject({ ...SOURCE, ...clockShape, lookup: listed(Lookup).optional(), plus: Plus.optional() })
    .refine(oneSource, 'needs either "column" or "columns"'),
);

export const actorShape = z.strictObject({
  agent: memberShape.optional(),
  group: memberShape.optional(),
  automated: Value.optional(),
});

export const customFieldShape = z
  .strictObject({
    ...VALUE,
    name: Name,
    id: Id.min(1).optional(),
    object: z.enum(['case', 'customer']).default('case'),
    values: z.union([z.literal(true), z.array(Name)]).optional(), // true: those that the file holds; absent: free text
  })
  .refine(
    (given) => sources(given) < 2, // none: a field that only rules set
    'has more than one of "column", "columns" and "value": keep one',
  );

export type LookupSpec = z.output<typeof Lookup>;
export type ValueSpec = z.output<typeof Value>;
export type ConditionSpec = z.output<typeof conditionShape>;
export type MemberSpec = z.output<typeof memberShape>;
export type MemberListSpec = z.output<typeof MemberList>;
export type SourceSpec = Pick<ValueSpec, 'column' | 'columns' | 'join'>;
export type TimeSpec = z.output<typeof Time>;
export type ActorSpec = z.output<typeof actorShape>;
export type CustomFieldSpec = z.output<typeof customFieldShape>;

/** Whether a text is a regular expression. */
export function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}
