import * as z from 'zod';
import type { Route } from '../../lib/http/route.ts';
import { linkShape } from '../../lib/http/shapes.ts';
import { ownJson } from '../../lib/own-json.ts';

/** A JSON Schema of OpenAPI 3.1. */
export type Schema = { readonly [key: string]: unknown };

const SAFE: readonly unknown[] = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

/** The JSON Schema of a request's (`input`) or reply's (`output`) data, without parts that tell readers nothing. */
export function toSchema(shape: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern; // long, and no clearer than the format
      if (SAFE.includes(jsonSchema.maximum)) delete jsonSchema.maximum;
      if (SAFE.includes(jsonSchema.minimum)) delete jsonSchema.minimum;
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (jsonSchema.prefixItems) closeTuple(jsonSchema);
    },
  });
  return schema;
}

/** Describes a tuple by its length: client generators refuse `items: false`. */
function closeTuple(schema: z.core.JSONSchema.BaseSchema): void {
  const length = schema.prefixItems?.length ?? 0;
  delete schema.items;
  Object.assign(schema, { minItems: length, maxItems: length });
}

/** Schemas by name, and a function that replaces each equal schema by a reference. */
export interface NamedSchemas {
  readonly all: Readonly<Record<string, Schema>>;
  readonly nameOf: (schema: Schema) => string | undefined;
  readonly refer: (schema: Schema) => Schema;
}

/**
 * Names the schemas of the routes, so that generated clients have names for them: `showTopic` returns a `Topic`,
 * `listTopics` a `TopicsPage`, `createTopic` takes a `CreateTopicBody`. What is shown only when it is made has a name of its
 * own, `CreatedUser`. A named schema within another becomes a reference.
 */
export function nameSchemas(routes: readonly Route[]): NamedSchemas {
  const named = [
    ['PageLink', toSchema(linkShape('page'), 'output')] as const,
    ...routes.flatMap((route) => replyOf(route, 'show', '')),
    ...routes.flatMap((route) => replyOf(route, 'list', 'Page')),
    ...routes.flatMap((route) => replyOf(route, 'create', '')),
    ...routes.flatMap(bodyOf),
  ];
  const names = new Map<string, string>();
  for (const [name, schema] of named) {
    const text = JSON.stringify(schema);
    if (!names.has(text)) names.set(text, [...names.values()].includes(name) ? `Created${name}` : name);
  }
  const all = [...names].map(([text, name]) => [name, replaceInside(ownJson(text), names)]);
  return {
    all: Object.fromEntries(all),
    nameOf: (schema) => names.get(JSON.stringify(schema)),
    refer: (schema) => replaceSchema(schema, names),
  };
}

function replyOf({ name, reply }: Route, verb: string, ending: string): (readonly [string, Schema])[] {
  if (reply === undefined || !name.startsWith(verb)) return [];
  return [[`${name.slice(verb.length)}${ending}`, toSchema(reply(), 'output')]];
}

function bodyOf(route: Route): (readonly [string, Schema])[] {
  const { name, method } = route;
  if (method !== 'POST' && method !== 'PATCH') return [];
  return [[`${name.charAt(0).toUpperCase()}${name.slice(1)}Body`, bodySchema(route)]];
}

/** The schema of a route's body. */
export function bodySchema({ body, required, sent }: Route): Schema {
  if (sent) return toSchema(sent(), 'input');
  const properties = Object.entries(body).map(([name, shape]): [string, Schema] => [name, toSchema(shape, 'input')]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length !== 0 && { required: [...required] }),
  };
}

function replaceEqual(node: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof node !== 'object' || node === null) return node;
  return Array.isArray(node) ? node.map((part) => replaceEqual(part, names)) : replaceSchema(node, names);
}

function replaceSchema(schema: object, names: ReadonlyMap<string, string>): Schema {
  const name = names.get(JSON.stringify(schema));
  return name === undefined ? replaceInside(schema, names) : { $ref: `#/components/schemas/${name}` };
}

const replaceInside = (schema: object, names: ReadonlyMap<string, string>): Schema =>
  Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, replaceEqual(part, names)]));
