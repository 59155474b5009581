import * as z from 'zod';

/** The parts of our OpenAPI document that the reference shows. */
const schema = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  get properties() {
    return z.optional(z.record(z.string(), schema));
  },
  required: z.array(z.string()).optional(),
  get items() {
    return z.optional(schema);
  },
  get anyOf() {
    return z.optional(z.array(schema));
  },
  maxLength: z.number().optional(),
});

export type DocumentSchema = z.infer<typeof schema>;

const content = z.record(z.string(), z.looseObject({ schema: schema.optional(), example: z.unknown().optional() }));
const parameter = z.looseObject({
  $ref: z.string().optional(),
  name: z.string().optional(),
  in: z.string().optional(),
  description: z.string().optional(),
  required: z.boolean().optional(),
  schema: schema.optional(),
  example: z.unknown().optional(),
});
const response = z.looseObject({
  $ref: z.string().optional(),
  description: z.string().optional(),
  content: content.optional(),
});
const operation = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  tags: z.array(z.string()),
  security: z.array(z.unknown()),
  'x-extension': z.boolean().optional(),
  parameters: z.array(parameter).optional(),
  requestBody: z.looseObject({ content }).optional(),
  responses: z.record(z.string(), response),
});

const documentShape = z.looseObject({
  info: z.looseObject({ title: z.string(), version: z.string(), description: z.string() }),
  tags: z.array(z.looseObject({ name: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({
    parameters: z.record(z.string(), parameter),
    responses: z.record(z.string(), response),
    schemas: z.record(z.string(), schema),
  }),
});

export type Document = z.infer<typeof documentShape>;
type Operation = z.infer<typeof operation>;
export type Parameter = z.infer<typeof parameter>;

/** One endpoint: an operation with its method and path. */
export interface Endpoint extends Operation {
  readonly method: string; // upper case
  readonly path: string;
}

/** Reads `openapi.json`; throws a `ZodError` for a document that is not ours. */
export const readDocument = (document: unknown): Document => documentShape.parse(document);

/** The endpoints in the document's order. */
export const endpointsOf = ({ paths }: Document): Endpoint[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({ ...each, method: method.toUpperCase(), path })),
  );

/** Follows a reference to its schema; returns other schemas unchanged. */
export function resolve({ components }: Document, reference: DocumentSchema | undefined): DocumentSchema {
  const name = reference?.$ref?.split('/').at(-1);
  return (name === undefined ? reference : components.schemas[name]) ?? {};
}
