import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Step } from './tour.ts';

/**
 * Makes the tour with a generated TypeScript client: `typescript-tour.ts CLIENT URL OPENAPI < steps as JSON`. Each step calls the
 * function that the generator made for its operation. Prints one JSON line a step: `{"operation", "status"}`.
 */
const [client = '', baseUrl = '', document = ''] = process.argv.slice(2);
const { Api } = await import(pathToFileURL(client).href);
const headers = { Authorization: `Basic ${btoa('administrator@demo.example:demo-password')}` };
const api = new Api({ baseUrl, baseApiParams: { headers, secure: false, format: 'json' } });
const functions = Object.assign({}, ...Object.values(api).filter((each) => typeof each === 'object'));

interface Parameter {
  readonly in?: string;
  readonly $ref?: string;
}
interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly Parameter[];
}
const { paths, components } = JSON.parse(readFileSync(document, 'utf8'));
const operations: Operation[] = Object.values<Record<string, Operation>>(paths).flatMap((path) => Object.values(path));
const isHeader = (given: Parameter): boolean => {
  const named: Parameter = components.parameters[given.$ref?.split('/').at(-1) ?? ''] ?? given;
  return named.in === 'header';
};
const takesParams = new Set(
  operations.flatMap(({ operationId = '', parameters = [] }) =>
    parameters.some((parameter) => !isHeader(parameter)) ? [operationId] : [],
  ),
);

const kept: Record<string, unknown> = {};
for (const { operation, params = {}, body, keep = {} } of JSON.parse(readFileSync(0, 'utf8')) as Step[]) {
  const filled = Object.fromEntries(Object.entries(params).map(([name, value]) => [camel(name), fill(value)]));
  const given = [...(takesParams.has(operation) ? [filled] : []), ...(body === undefined ? [] : [fill(body)])];
  const { status, data } = await functions[operation](...given).catch((failed: unknown) => failed);
  for (const [name, path] of Object.entries(keep)) kept[name] = follow(data, path);
  process.stdout.write(`${JSON.stringify({ operation, status })}\n`);
}

/** A value in which `$name` is what an earlier step kept. */
function fill(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('$') ? kept[value.slice(1)] : value;
  if (Array.isArray(value)) return value.map(fill);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fill(inner)]));
}

/** Path parameters are renamed by the generator: `topic_id` → `topicId`. Those of queries keep their names. */
function camel(name: string): string {
  return /_(id|key)$/.test(name) ? name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) : name;
}

function follow(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((found, part) => Object(found)[part], value);
}
