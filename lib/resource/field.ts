import * as z from 'zod';
import { rankOf } from '../access/records.ts';
import type { Context } from '../context.ts';
import type { Faults } from '../errors.ts';
import { booleanField, nameField, textField, wordField } from '../http/fields.ts';
import { idShape, timestampShape } from '../http/shapes.ts';
import { bool, oneOf, name as readName, text as readText } from '../json-readers.ts';
import type { Collection } from '../store/collection.ts';
import type { Item } from '../store/table.ts';
import { timestamp, timestampOrNull } from '../text.ts';
import type { Linked } from './link.ts';

/** Reads a value of a record or of a body; throws `Rejection` with a sentence. */
export type Reader<V = unknown> = (value: unknown, name: string) => V;

/** What a field is shown with: all of its thing, and where that lies. */
export interface ShownWith {
  readonly id: number;
  readonly thing: Readonly<Record<string, unknown>>;
  readonly collection: Collection;
  readonly context: Context;
}

/** What a sent value is checked with. */
export interface CheckedWith {
  readonly name: string; // of the field
  readonly context: Context;
  readonly before: Readonly<Record<string, unknown>> | undefined; // the thing; undefined: it is created
  readonly faults: Faults;
}

/** What an item has besides its key. */
export type StoredFields = Readonly<Record<string, unknown>>;

/** A field of a thing: everything that is said of it, once (docs/design/resources.md). */
export interface ResourceField {
  readonly stored?: z.ZodType; // from the table to the value in memory; absent: it is not stored
  readonly usual?: unknown; // the value of a thing without it; a function takes it from the item
  readonly body?: z.ZodType; // as clients send it; absent: they cannot
  readonly update?: z.ZodType | null; // the same to change one, if it differs; null: they cannot
  readonly required?: true; // to create one, and in a record
  readonly read?: Reader; // from what the body has to the value, if that is not the same
  readonly record?: Reader; // in a record of an import; absent: records do not have it
  readonly shown?: () => z.ZodType; // in replies; absent: it is not shown
  readonly links?: Linked; // the thing that its id names: it must be there, and the reply links to it
  encode?(value: unknown): unknown; // from the value to the table, if that is not the same; never of null
  check?(value: unknown, checked: CheckedWith): void | Promise<void>; // adds faults to a value that is sent
  show?(value: unknown, shown: object | undefined): unknown; // in replies, if not as it is; may be a promise
}

/** The fields of a resource, in the order of its replies. */
export type FieldTable = Readonly<Record<string, ResourceField>>;

type Of<F extends FieldTable, Part extends keyof ResourceField> = {
  [K in keyof F]: F[K] extends { readonly [P in Part]: Readonly<Record<P, unknown>> }[Part] ? K : never;
}[keyof F];

type ValueOf<F> = F extends { readonly stored: z.ZodType<infer V> } ? V : never;

/** What is stored of a thing, in memory. */
export type StoredOf<F extends FieldTable> = {
  readonly [K in Of<F, 'stored'> as undefined extends ValueOf<F[K]> ? never : K]: ValueOf<F[K]>;
} & { readonly [K in Of<F, 'stored'> as undefined extends ValueOf<F[K]> ? K : never]?: ValueOf<F[K]> };

/** A thing in memory. */
export type ThingOf<F extends FieldTable> = { readonly id: number } & StoredOf<F>;

/** The fields of a body that creates a thing. */
export type BodyOf<F extends FieldTable> = {
  readonly [K in Of<F, 'body'>]: F[K] extends { readonly body: infer B extends z.ZodType } ? B : never;
};

/** The fields of a body that changes one. */
export type UpdateOf<F extends FieldTable> = {
  readonly [K in keyof F as F[K] extends { readonly update: null }
    ? never
    : K & Of<F, 'body' | 'update'>]: F[K] extends { readonly update: infer U extends z.ZodType }
    ? U
    : F[K] extends { readonly body: infer B extends z.ZodType }
      ? B
      : never;
};

/** A thing as replies show it, without its links. */
export type ShownOf<F extends FieldTable> = { readonly id: number } & {
  readonly [K in Of<F, 'shown'>]: F[K] extends { readonly shown: () => z.ZodType<infer V> } ? V : never;
};

type RecordValue<F> = F extends { readonly record: Reader<infer V> } ? V : never;
type Needed<F extends FieldTable> = { [K in keyof F]: F[K] extends { readonly required: true } ? K : never }[keyof F];

/** The fields of a record: null clears one; what is needed may be absent if the record deletes its thing. */
export type RecordFieldsOf<F extends FieldTable> = {
  readonly [K in Exclude<Of<F, 'record'>, Needed<F>>]?: RecordValue<F[K]> | null;
} & { readonly [K in Extract<Of<F, 'record'>, Needed<F>>]?: RecordValue<F[K]> };

interface Options<V> {
  readonly required?: true;
  readonly usual?: V | ((item: Item) => V);
  readonly check?: ResourceField['check'];
}

const described = <S extends z.ZodType>(schema: S, about: string | undefined): S =>
  about === undefined ? schema : schema.meta({ description: about });

/** A name; a record that has none yet is called by its id. */
export const nameText = <const O extends Options<string>>(options: O, body = nameField()) => ({
  stored: z.string(),
  usual: ({ id }: Item): string => String(id),
  body,
  shown: () => z.string(),
  record: readName,
  ...options,
});

/** A text or null. */
export const freeText = () => ({
  stored: z.string().nullable(),
  usual: null,
  body: textField(),
  shown: () => z.string().nullable(),
  record: readText(),
});

/** True or false. */
export const flag = <const O extends Options<boolean>>(options: O, about?: string) => ({
  stored: z.boolean(),
  body: described(booleanField(), about),
  shown: () => z.boolean(),
  record: bool,
  ...options,
});

/** One of some words. */
export const word = <const W extends string, const O extends Options<W>>(
  words: readonly W[],
  options: O,
  about?: string,
) => ({
  stored: z.enum(words),
  body: described(wordField(words), about),
  shown: () => z.enum(words),
  record: oneOf(words),
  ...options,
});

/** The id of another thing, which the reply links to. It must be there. */
export const ref = <const O extends Options<number | null>>(links: Linked, options: O, about?: string) => ({
  stored: z.int(),
  shown: () => idShape(),
  links,
  body: described(z.int('invalid').min(1, 'invalid'), about),
  ...options,
});

/** The same, or null. */
export const refOrNull = (links: Linked, about?: string) => ({
  stored: z.int().nullable(),
  shown: () => idShape().nullable(),
  links,
  usual: null,
  body: described(z.int('invalid').min(1, 'invalid').nullable(), about),
});

/** Something that is stored as JSON in a text. */
export const json = <V, B extends z.ZodType, S extends z.ZodType>({
  value,
  body,
  shown,
}: {
  readonly value: z.ZodType<V>;
  readonly body: B;
  readonly shown: () => S;
}) => ({
  stored: z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(value),
  body,
  shown,
  encode: (sent: unknown): string => JSON.stringify(sent),
});

/** When a thing was made or changed last, which its storing sets. */
const time = () => ({ stored: z.number(), shown: timestampShape, show: (at: number) => timestamp(at) });

/** Both times of a record, of which none may have told. */
export const recordTimes = () => {
  const at = { stored: z.number().nullable(), shown: () => timestampShape().nullable(), show: timestampOrNull };
  return {
    created_at: { ...at, usual: ({ updated_at }: Item) => updated_at ?? null },
    updated_at: { ...at, usual: null },
  };
};

/** The place of a record among those that are not deleted, from 1. */
export const place = () => ({
  shown: () => z.int().positive(),
  show: (_: unknown, { id, collection }: ShownWith) => rankOf(collection, id),
});

/** Both times of a thing. */
export const times = () => ({ created_at: time(), updated_at: time() });
