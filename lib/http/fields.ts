import * as z from 'zod';
import { badRequest, type Faults, notFound, oneFault } from '../errors.ts';
import type { FaultCode } from '../fault-details.ts';
import { isJsonObject } from '../json.ts';
import { fullReason, type Limited } from '../store/bounds.ts';
import { isWellFormed } from '../text.ts';
import { findJsonFault, lineOf } from './json-fault.ts';
import type { Fields, Values } from './route.ts';
import { takesOf } from './takes.ts';

const CODES: readonly FaultCode[] = ['blank', 'invalid', 'taken', 'too_long', 'too_large', 'not_found'];
export const NAME_LENGTH = 255; // code points
export const TEXT_SIZE = 64 * 1024; // bytes of UTF-8

/** `null` in place of a required text gives `blank`, any other wrong type `invalid` (docs/interface.md). */
export const nullIsBlank = {
  error: (issue: { readonly input?: unknown }) => (issue.input === null ? 'blank' : 'invalid'),
};
const longAs = (limit: number) => (text: string) => text.length <= limit || [...text].length <= limit;
const sizeAtMost = (limit: number) => (text: string) => Buffer.byteLength(text) <= limit;

/** A required name: not blank, at most `limit` code points. */
export const nameField = (limit = NAME_LENGTH) =>
  z
    .string(nullIsBlank)
    .refine((text) => text.trim() !== '', 'blank')
    .refine(longAs(limit), 'too_long')
    .refine(isWellFormed, 'invalid')
    .meta({ maxLength: limit, minLength: 1, pattern: '\\S' });

/** A required name of one line: it may end in the header of a mail or in a list of logins. */
export const lineField = (limit = NAME_LENGTH) => nameField(limit).refine((text) => !/\p{Cc}/u.test(text), 'invalid');

/** An optional text or null, at most `size` bytes of UTF-8. */
export const textField = (size = TEXT_SIZE) =>
  z
    .string('invalid')
    .refine(sizeAtMost(size), 'too_long')
    .refine(isWellFormed, 'invalid')
    .meta({ 'x-max-bytes': size })
    .nullable();

export const booleanField = () => z.boolean('invalid');

const MOST_ELEMENTS = 10_000; // of a list in a body; one with more is refused before its elements are looked at
const DEEPEST = 100; // levels of objects and lists in a body

/** Ids as integers; a wrong element makes the whole array invalid. */
export const idsField = (limit = MOST_ELEMENTS) =>
  z
    .array(z.int('invalid').meta({ minimum: 1 }), 'invalid')
    .refine((ids) => ids.length <= limit, 'too_long')
    .meta({ maxItems: limit });

/** At most `limit` names; a wrong or blank element makes the whole array invalid. */
export const namesField = (limit: number) =>
  z
    .array(
      z
        .string('invalid')
        .refine((text) => text.trim() !== '', 'invalid')
        .refine(longAs(NAME_LENGTH), 'too_long')
        .refine(isWellFormed, 'invalid')
        .meta({ maxLength: NAME_LENGTH, minLength: 1, pattern: '\\S' }),
      'invalid',
    )
    .refine((names) => names.length <= limit, 'too_long')
    .meta({ maxItems: limit });

/** An optional name or null: at most `limit` code points. */
export const shortTextField = (limit = NAME_LENGTH) =>
  z
    .string('invalid')
    .refine(longAs(limit), 'too_long')
    .refine(isWellFormed, 'invalid')
    .meta({ maxLength: limit })
    .nullable();

/** A time in ISO 8601 with an offset; epoch ms, seconds cut. */
export const timeField = () =>
  z.iso
    .datetime({ offset: true, error: 'invalid' })
    .transform((text) => Math.floor(Date.parse(text) / 1000) * 1000)
    .refine(Number.isFinite, 'invalid');

/** Ids in a query: separated by commas, in a repeated parameter, or as `name[]` or `name[0]` (see `Route.lists`). */
export const idListField = () =>
  z
    .string()
    .regex(/^\s*-?\d{1,15}(\s*,\s*-?\d{1,15})*\s*$/, 'invalid')
    .meta({ description: 'Ids separated by commas; any of them', examples: ['5,7'] })
    .transform((text): ReadonlySet<number> => new Set(text.split(',').map(Number)));

/** One of some words, exactly as written. */
export const wordField = <const W extends string>(words: readonly W[]) => z.enum(words, 'invalid');

/** `asc` or `desc` in any case (docs/interface.md). */
export const directionField = () =>
  z
    .string()
    .toLowerCase()
    .meta({ description: 'In any case', enum: ['asc', 'desc'] })
    .pipe(wordField(['asc', 'desc']));

/** `true` or `false` in a query, in any case. */
export const flagField = () =>
  z
    .string()
    .toLowerCase()
    .meta({ type: 'boolean' })
    .pipe(wordField(['true', 'false']));

/**
 * Parses a request's body: absent and `[]` (PHP's empty object) count as `{}`. Throws `bad_request`, and `invalid` if it
 * is nested too deep.
 */
export function parseBody(bytes: Buffer): Record<string, unknown> {
  if (bytes.length === 0) return {};
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badRequest('The body is not valid UTF-8.');
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw badRequest(jsonFault(text));
  }
  if (isDeeper(body, DEEPEST))
    throw oneFault('too_large', ['base'], `The body is nested more than ${DEEPEST} levels deep.`);
  if (Array.isArray(body) && body.length === 0) return {};
  if (!isJsonObject(body)) throw badRequest('The body is not a JSON object: it must begin with { and end with }.');
  return { ...body };
}

/** Whether a value has more levels than these. What is written or compared later is done level by level. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}

function jsonFault(text: string): string {
  const fault = findJsonFault(text);
  if (fault === undefined) return 'The body is not valid JSON.';
  const { line, column } = lineOf(text, fault.at);
  return `The body is not valid JSON: expected ${fault.expected} at line ${line}, column ${column}.`;
}

/** Parses the declared fields of a body or query. Fields that fail their schema are left out and added to `faults`. */
export function parseFields<F extends Fields>(
  fields: F,
  sent: Readonly<Record<string, unknown>>,
  required: readonly string[],
  faults: Faults,
): Values<F> {
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(fields)) {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
    if (value === undefined) {
      if (required.includes(name)) faults.explain('blank', [name], { takes: takesOf(schema) });
      continue;
    }
    if (Array.isArray(value) && value.length > MOST_ELEMENTS) {
      faults.explain('too_long', [name], { takes: takesOf(schema) });
      continue;
    }
    const result = schema.safeParse(value);
    if (result.success) {
      values[name] = result.data;
      continue;
    }
    const allowed = allowedOf(schema);
    for (const { path, code } of inOrder(result.error.issues)) {
      const hint = { field: [name, ...path].join('.'), sent: partAt(value, path), takes: takesOf(schema, path) };
      faults.explain(code, [name, ...fieldAt(path)], allowed ? { ...hint, allowed } : hint);
    }
  }
  return values as Values<F>;
}

type Place = readonly (string | number)[];

const MOST_FAULTS = 100; // of one field; a reply has no more details

/** The faults of a value: of the whole before those of its parts, which then count no more, and in the order of codes. */
const inOrder = (issues: readonly z.core.$ZodIssue[]): { readonly path: Place; readonly code: FaultCode }[] =>
  issues
    .map(({ path, message }) => ({ path: path.map((part) => (typeof part === 'symbol' ? '' : part)), message }))
    .map(({ path, message }) => ({ path, code: toCode(message) }))
    .sort((a, b) => fieldAt(a.path).length - fieldAt(b.path).length || CODES.indexOf(a.code) - CODES.indexOf(b.code))
    .slice(0, MOST_FAULTS);

/** The field at a path: a wrong element of a list makes the whole list wrong. */
const fieldAt = (path: Place): Place => path.slice(0, path.findLastIndex((part) => typeof part === 'string') + 1);

/** The part of a value at a path of an issue. */
const partAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce(
    (whole, name) => (typeof whole === 'object' && whole !== null ? Reflect.get(whole, name) : undefined),
    value,
  );

/** The words that an enum schema allows; undefined for other schemas. */
function allowedOf(schema: z.ZodType): readonly string[] | undefined {
  const inner = schema instanceof z.ZodPipe ? schema.out : schema;
  return inner instanceof z.ZodEnum ? inner.options.map(String) : undefined;
}

const toCode = (message: string): FaultCode => CODES.find((code) => code === message) ?? 'invalid';

/** The body of a move: the id of the member that the moved one goes before; null for the end of the list. */
export const moveFields = { before: z.int('invalid').positive('invalid').nullable() };

/** The order of ids with one moved before another, or to the end; undefined if `before` is not in it. */
export function movedBefore(order: readonly number[], id: number, before: number | null): number[] | undefined {
  if (before === id) return [...order];
  const others = order.filter((other) => other !== id);
  const place = before === null ? others.length : others.indexOf(before);
  return place < 0 ? undefined : others.toSpliced(place, 0, id);
}

/** Adds a fault if `count` has reached the limit of its kind; `deleted` of them are deleted ones that stay. */
export function checkRoom(kind: Limited, count: number, faults: Faults, deleted = 0): void {
  const message = fullReason(kind, count, deleted);
  if (message !== undefined) faults.explain('too_large', ['base'], { message });
}

/** The id in a path; throws `not_found` if it is not an integer from `least` on. */
export function idOf(text: string | undefined, least: 0 | 1 = 1): number {
  const id = Number(text);
  const isId = text !== undefined && /^(0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(id) && id >= least;
  if (!isId) throw notFound(`resource with the id ${text}`);
  return id;
}
