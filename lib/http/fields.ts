import * as z from 'zod';
import { Failure, type Faults } from '../errors.ts';
import type { FaultCode } from '../fault-details.ts';
import { type COLLECTION_LIMITS, fullReason } from '../store/bounds.ts';
import { findJsonFault, lineOf } from './json-fault.ts';
import type { Fields, Values } from './route.ts';

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

/** An optional text or null, at most 64 KiB. */
export const textField = () =>
  z.string('invalid').refine(sizeAtMost(TEXT_SIZE), 'too_long').refine(isWellFormed, 'invalid').nullable();

export const booleanField = () => z.boolean('invalid');

/** Ids as integers; a wrong element makes the whole array invalid. */
export const idsField = () => z.array(z.int('invalid').meta({ minimum: 1 }), 'invalid');

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
    .meta({ enum: ['true', 'false'] })
    .pipe(wordField(['true', 'false']));

/** Whether a text has no lone surrogates, which UTF-8 cannot hold. */
function isWellFormed(text: string): boolean {
  return !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text);
}

/** Parses a request's body: absent and `[]` (PHP's empty object) count as `{}`. Throws `bad_request`. */
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
  if (Array.isArray(body) && body.length === 0) return {};
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw badRequest('The body is not a JSON object: it must begin with { and end with }.');
  return { ...body };
}

const badRequest = (message: string): Failure =>
  new Failure('bad_request', { details: [{ field: '', code: 'invalid', message }] });

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
      if (required.includes(name)) faults.add('blank', name);
      continue;
    }
    const result = schema.safeParse(value);
    if (result.success) {
      values[name] = result.data;
      continue;
    }
    const allowed = allowedOf(schema);
    for (const { message, path } of result.error.issues) {
      const field = [name, ...path].join('.');
      faults.explain(toCode(message), [name], { field, sent: value, ...(allowed ? { allowed } : {}) });
    }
  }
  return values as Values<F>;
}

/** The words that an enum schema allows; undefined for other schemas. */
function allowedOf(schema: z.ZodType): readonly string[] | undefined {
  const inner = schema instanceof z.ZodPipe ? schema.out : schema;
  return inner instanceof z.ZodEnum ? inner.options.map(String) : undefined;
}

const toCode = (message: string): FaultCode => CODES.find((code) => code === message) ?? 'invalid';

/** Adds a fault if `count` has reached the limit of its kind. */
export function checkRoom(kind: keyof typeof COLLECTION_LIMITS, count: number, faults: Faults): void {
  const message = fullReason(kind, count);
  if (message !== undefined) faults.explain('too_large', ['base'], { message });
}

/** The id in a path; throws `not_found` if it is not an integer from `least` on. */
export function idOf(text: string | undefined, least: 0 | 1 = 1): number {
  const id = Number(text);
  const isId = text !== undefined && /^(0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(id) && id >= least;
  if (!isId) throw new Failure('not_found');
  return id;
}
