import * as z from 'zod';
import { DURATION_UNITS } from '../../vocabulary.ts';
import { patternFault } from './pattern.ts';

/** Schemas of the values in a mapping: which cell a text comes from, and how it is changed (docs/import/mappings.md, Values). */
const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const Table = z.record(z.string(), Scalar);
const Id = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const Name = z.string().trim().min(1).max(255);

/** Accepts one value or a list of them; returns a list. */
export const listed = <S extends z.ZodType>(schema: S) =>
  z.preprocess(
    (written: z.input<S> | readonly z.input<S>[] | undefined) =>
      Array.isArray(written) || written === undefined ? written : [written],
    z.array(schema),
  );

/** Accepts a text instead of an object: the name of a column. */
export const columnOr = <S extends z.ZodType>(schema: S) =>
  z.preprocess((written: string | z.input<S>) => (typeof written === 'string' ? { column: written } : written), schema);

/** Where a text comes from: one column, or several whose cells are joined. */
const SOURCE = {
  column: z.string().optional(),
  columns: z.array(z.string()).min(1).optional(),
  join: z.string().default(' '), // put between the cells of `columns` that are not empty
  optional: z.boolean().optional(), // true: a file that lacks the column has it empty, without a word
};

/** A text that has a pattern, or none; `patternOf` says where. */
export const patternText = (patternOf: (text: string) => string | undefined = (text) => text) =>
  z.string().superRefine((text, context) => {
    const pattern = patternOf(text);
    const message = pattern === undefined ? undefined : patternFault(pattern);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

/** Another file in which a text is looked up. */
const PlainLookup = z.strictObject({
  file: z.string().min(1), // in the folder of the mapping
  key: z.string(), // the column to compare with the text
  value: z.string(), // the column that replaces the text
  at: z.string().optional(), // a column of times: see `valueAt` of lookup-moment.ts
  when: z.strictObject({ column: z.string(), is: z.array(z.string()) }).optional(), // which rows count; absent: all
  optional: z.boolean().default(false), // true: if the file or the text in it is missing, the value is empty
});
/** `else` is looked up if the file or the text in it is missing. */
const Lookup = PlainLookup.extend({ else: z.strictObject({ lookup: listed(PlainLookup) }).optional() });

const PLAIN = {
  ...SOURCE,
  value: Scalar.optional(), // a constant instead of a column
  pattern: patternText().optional(), // its first group replaces the text
  lookup: listed(Lookup).optional(), // applied one after the other
  table: Table.optional(),
  default: Scalar.optional(), // for an empty cell, or a text that is not in the table
};
type GivenSources = { readonly column?: unknown; readonly columns?: unknown; readonly value?: unknown };
const sources = ({ column, columns, value }: GivenSources) =>
  [column, columns, value].filter((one) => one !== undefined).length;
const oneSource = (given: GivenSources) => sources(given) === 1;

/** An object with these keys that has exactly one source. */
export const sourced = <S extends z.ZodRawShape & typeof PLAIN>(shape: S) =>
  z.strictObject(shape).refine(oneSource, 'needs either "column", "columns" or "value"');

const PlainValue = columnOr(sourced(PLAIN));

/** A value that replaces an empty one. */
const Instead = columnOr(sourced({ ...PLAIN, equals: PlainValue.optional(), else: PlainValue.optional() }));

export const VALUE = {
  ...PLAIN,
  equals: PlainValue.optional(), // the text is compared with this value; the table then maps "true" and "false"
  else: Instead.optional(), // used if the value is empty
};
export const MEMBER = {
  ...VALUE,
  ids: z.record(z.string(), Id).optional(), // ids of members by name; all other ids are made from the names
  is_id: z.boolean().optional(), // the text is an id already
  usual: z.boolean().optional(), // replace a channel's name by the usual one: `mail` and `E-mail` become `Email`
};
export const MEMBERS = { ...MEMBER, split: z.string().min(1).optional() }; // `split` separates the names in a cell
export const Value = columnOr(sourced(VALUE));
export const memberShape = columnOr(sourced(MEMBER));
export const MemberList = columnOr(sourced(MEMBERS));

/** A condition on a row or on one of its events: a value is, or is not, one of some texts. An empty cell is "". */
export const conditionShape = sourced({
  ...VALUE,
  is: listed(z.string()).optional(),
  not: listed(z.string()).optional(),
}).refine(({ is, not }) => (is === undefined) !== (not === undefined), 'needs either "is" or "not"');

const Formats = z.union(
  [z.string(), z.array(z.string()).min(1)],
  'is neither a time format nor a list of time formats',
);
export const clockShape = { format: Formats.optional(), zone: z.string().optional() };
/** A duration to add to a time. `clock` is hours, minutes and seconds with colons; `words` is like `3 hours 20 min`. */
const Plus = z.strictObject({
  column: z.string(),
  unit: z.enum(DURATION_UNITS),
  null: z.array(z.string()).optional(), // texts that mean the same as an empty cell: "0"
});
export const Time = columnOr(
  z
    .strictObject({
      ...SOURCE,
      ...clockShape,
      lookup: listed(Lookup).optional(),
      plus: Plus.optional(),
      unless: z.string().optional(), // a column: where its text is the same, there is no time
    })
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
    values: z.union([z.literal(true), z.array(Name)]).optional(), // true: the values in the file; absent: free text
  })
  .refine(
    (given) => sources(given) < 2, // no source: only rules set the field
    'has more than one of "column", "columns" and "value": keep one',
  );

/** A value, and a time, as a mapping has them written: the name of a column, or more. */
export type WrittenValue = z.input<typeof Value>;
export type TimeInput = z.input<typeof Time>;

export type PlainLookupSpec = z.output<typeof PlainLookup>;
export type LookupSpec = z.output<typeof Lookup>;
export type ValueSpec = z.output<typeof Value>;
export type ConditionSpec = z.output<typeof conditionShape>;
export type MemberSpec = z.output<typeof memberShape>;
export type MemberListSpec = z.output<typeof MemberList>;
export type SourceSpec = Pick<ValueSpec, 'column' | 'columns' | 'join' | 'optional'>;
export type TimeSpec = z.output<typeof Time>;
export type ActorSpec = z.output<typeof actorShape>;
export type CustomFieldSpec = z.output<typeof customFieldShape>;
