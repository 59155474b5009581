import { FAULT_CODES, REFUSAL_CODES } from '../../lib/fault-details.ts';
import { OWN_SERVER } from '../../lib/http/open-paths.ts';
import type { Route } from '../../lib/http/route.ts';
import { failureResponses } from './failures.ts';
import { headersOf, operationOf, unchanged } from './operation.ts';
import { nameSchemas } from './schemas.ts';

const text = { type: 'string' };
const count = { type: 'integer' };
const number = { ...count, minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

const HEADERS = {
  ETag: { description: 'Strong tag of what is shown', schema: text, example: '"5f3ea09d8acdc35986564eb6e277da2f"' },
  Location: { description: 'Absolute address of what was created', schema: { ...text, format: 'uri' } },
  'Content-Language': { description: 'Language of names and descriptions', schema: text, example: 'en-US' },
  'X-Request-Id': { description: 'What the log knows the request by', schema: { ...text, format: 'uuid' } },
  'X-Rate-Limit-Limit': {
    description: 'Requests a minute and user; a constant where the site has no limit',
    schema: count,
  },
  'X-Rate-Limit-Remaining': { description: 'What is left of them; 0 on the 429 of the insights lock', schema: count },
  'X-Rate-Limit-Reset': { description: 'Seconds; on a 429 those to wait, at least 1', schema: count },
  'X-Ignored-Fields': { description: 'Names of fields that were sent and are not known', schema: text },
  'Idempotent-Replayed': { description: 'true: the answer to an earlier request with this key', schema: text },
  'Retry-After': { description: 'Seconds to wait', schema: count },
  'WWW-Authenticate': { description: 'API Gateway renames it to x-amzn-remapped-www-authenticate', schema: text },
} as const;

const PARAMETERS = {
  page: { name: 'page', in: 'query', description: 'From 1', schema: { ...number, default: 1 } },
  per_page: {
    name: 'per_page',
    in: 'query',
    description: 'More than 1000 counts as 1000',
    schema: { ...number, default: 50 },
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'Tags the client has: 304 where one is current',
    schema: text,
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description: 'Tags to change: 412 where none is current',
    schema: text,
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A text of the client: the same request with it creates once within 24 hours',
    schema: { ...text, minLength: 1, maxLength: 255, pattern: '\\S' },
    'x-extension': true,
  },
} as const;

const message = { type: 'object', required: ['message'], properties: { message: text } };
const codes = { type: 'array', items: { enum: FAULT_CODES } };

const details = {
  description:
    'The same for people: one for each code; of a 400 where the JSON breaks, of any other refusal what it is about',
  'x-extension': true,
  type: 'array',
  items: { $ref: '#/components/schemas/FaultDetail' },
};

const SCHEMAS = {
  Error: message,
  Refusal: { ...message, properties: { message: text, details } },
  FaultDetail: {
    type: 'object',
    required: ['field', 'code', 'message'],
    properties: {
      field: { ...text, description: 'Path of the field, its parts joined by dots' },
      code: { enum: [...new Set([...FAULT_CODES, ...REFUSAL_CODES])] },
      message: text,
      allowed: { type: 'array', items: text, description: 'What is taken, where that is little' },
    },
  },
  Faults: {
    description: 'Codes by field; nested fields are nested objects, list places their numbers from 0',
    type: 'object',
    additionalProperties: { anyOf: [codes, { $ref: '#/components/schemas/Faults' }] },
  },
  ValidationFailed: {
    type: 'object',
    required: ['message', 'errors'],
    properties: { message: text, errors: { $ref: '#/components/schemas/Faults' }, details },
  },
} as const;

/** The OpenAPI 3.1 document of the routes. */
export function openApiDocument(routes: readonly Route[], version: string): Readonly<Record<string, unknown>> {
  const schemas = nameSchemas(routes);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route, schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Support service',
      version,
      description:
        'Knowledge-base topics, macros and ad-hoc insights reports. The host of a request names its site. HEAD works wherever GET does; a POST with `X-HTTP-Method-Override: PATCH` or `DELETE` acts as that method.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: OWN_SERVER, description: 'Where this document was read' }],
    tags: ['Topics', 'Macros', 'Insights', 'Records', 'Imports', 'Service'].map((name) => ({ name })),
    security: [{ basic: [] }, { token: [] }],
    paths: { ...paths, ...openOperations() },
    components: {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'Login and password of a user' },
        token: { type: 'http', scheme: 'bearer', description: 'A token of `support token add`', 'x-extension': true },
      },
      headers: HEADERS,
      parameters: PARAMETERS,
      responses: failureResponses(headersOf()),
      schemas: { ...schemas.all, ...SCHEMAS },
    },
  };
}

function openOperations() {
  const open = (operationId: string, summary: string, schema: object, example?: object) => ({
    get: {
      operationId,
      summary,
      tags: ['Service'],
      security: [],
      responses: {
        200: {
          description: summary,
          headers: headersOf('ETag'),
          content: { 'application/json': { schema, ...(example && { example }) } },
        },
        ...unchanged(),
        503: { $ref: '#/components/responses/unavailable' },
      },
    },
  });
  const health = { type: 'object', required: ['status'], properties: { status: { const: 'ok' } } };
  return {
    '/health': open('showHealth', 'Whether the table answers', health, { status: 'ok' }),
    '/openapi.json': open('showInterface', 'This document', { type: 'object' }),
  };
}
