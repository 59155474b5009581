import * as z from 'zod';

type Schema = z.core.JSONSchema.JSONSchema;

/** A time with its offset, as in every request. */
export const A_TIME = 'a time in ISO 8601 with its offset, such as 2026-01-31T09:00:00Z';
export const A_BOOLEAN = 'true or false';
export const A_COUNT = 'a whole number from 1';
export const WITHOUT_BLANKS = '^\\S+$'; // a pattern

const schemas = new WeakMap<z.ZodType, Schema>();

/**
 * What a field takes, in words, for a detail of a 422: `a whole number from 1`. It is read from the JSON schema that the
 * OpenAPI document shows, so that the two agree. `path` leads to a part of the field; undefined if any value is taken.
 */
export function takesOf(schema: z.ZodType, path: readonly PropertyKey[] = []): string | undefined {
  const jsonSchema = schemas.get(schema) ?? z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  schemas.set(schema, jsonSchema);
  const part = path.reduce<Schema | undefined>(partOf, jsonSchema);
  return part && inWords(part);
}

function partOf(whole: Schema | undefined, name: PropertyKey): Schema | undefined {
  if (whole?.anyOf) return whole.anyOf.map((one) => partOf(one, name)).find((part) => part !== undefined);
  const part = typeof name === 'number' ? whole?.items : whole?.properties?.[String(name)];
  return typeof part === 'object' && !Array.isArray(part) ? part : undefined;
}

function inWords(schema: Schema): string | undefined {
  const { type } = schema;
  if (schema.anyOf) return schema.anyOf.flatMap((one) => inWords(one) ?? []).join(' or ');
  if (Array.isArray(type)) return type.flatMap((one) => inWords({ ...schema, type: one }) ?? []).join(' or ');
  if (schema.enum) return `one of ${schema.enum.join(', ')}`;
  switch (type) {
    case 'null':
      return 'null';
    case 'boolean':
      return A_BOOLEAN;
    case 'integer':
      return `a whole number${between(schema.minimum, schema.maximum)}`;
    case 'number':
      return `a number${between(schema.minimum, schema.maximum)}`;
    case 'object':
      return 'an object';
    case 'array':
      return listInWords(schema);
    case 'string':
      return schema.format === 'date-time' ? A_TIME : textInWords(schema);
    default:
      return undefined;
  }
}

function listInWords(schema: Schema): string {
  const items = partOf(schema, 0);
  const element = items && inWords(items);
  const size = sized(schema.minItems, schema.maxItems, 'elements');
  return `a list${size}${element === undefined ? '' : `, each ${element}`}`;
}

function textInWords({ minLength, maxLength, pattern, examples, 'x-max-bytes': bytes }: Schema): string {
  const size = typeof bytes === 'number' ? sized(minLength, bytes, 'bytes') : sized(minLength, maxLength, 'characters');
  const blanks = pattern === WITHOUT_BLANKS ? ' without blanks' : '';
  return `a text${size}${blanks}${examples === undefined ? '' : ` such as ${examples[0]}`}`;
}

function between(least: number | undefined, most: number | undefined): string {
  const [from, to] = [bound(least), bound(most)];
  return `${from === undefined ? '' : ` from ${from}`}${to === undefined ? '' : ` to ${to}`}`;
}

/** A bound that says something: zod bounds every integer by those that are safe. */
const bound = (limit: number | undefined): number | undefined =>
  limit === Number.MAX_SAFE_INTEGER || limit === Number.MIN_SAFE_INTEGER ? undefined : limit;

function sized(least = 0, most: number | undefined, unit: string): string {
  if (most === undefined) return least > 0 ? ` of at least ${least} ${unit}` : '';
  return least > 0 ? ` of ${least} to ${most} ${unit}` : ` of at most ${most} ${unit}`;
}
