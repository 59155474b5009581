import * as z from 'zod';
import type { Route } from '../../lib/http/route.ts';

/** A JSON Schema of OpenAPI 3.1. */
export type Schema = { readonly [key: string]: unknown };

const SAFE: readonly unknown[] = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

/** The JSON Schema of what a client may send (`input`) or gets (`output`), without what tells a reader nothing. */
export function toSchema(shape: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern; // longer than all the rest, and no clearer
      if (SAFE.includes(jsonSchema.maximum)) delete jsonSchema.maximum;
      if (SAFE.includes(jsonSchema.minimum)) delete jsonSchema.minimum;
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return schema;
}

/** Schemas by name, and what puts a reference in the place of each equal schema. */
export interface NamedSchemas {
  readonly all: Readonly<Record<string, Schema>>;
  readonly refer: (schema: Schema) => Schema;
}

/** Names the resources by the routes that show one: `showTopic` names `Topic`. */
export function nameSchemas(routes: readonly Route[]): NamedSchemas {
  const named = routes.flatMap(({ name, reply }) =>
    reply && name.startsWith('show') ? [[name.slice('show'.length), toSchema(reply(), 'output')] as const] : [],
  );
  const names = new Map(named.map(([name, schema]) => [JSON.stringify(schema), name]));
  return { all: Object.fromEntries(named), refer: (schema) => replaceEqual(schema, names) as Schema };
}

function replaceEqual(node: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof node !== 'object' || node === null) return node;
  const name = names.get(JSON.stringify(node));
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  if (Array.isArray(node)) return node.map((part) => replaceEqual(part, names));
  return Object.fromEntries(Object.entries(node).map(([key, part]) => [key, replaceEqual(part, names)]));
}
