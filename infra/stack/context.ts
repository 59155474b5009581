import * as z from 'zod';

/** A context value is missing or wrong: the deploy stops at synth with this sentence. */
export class ContextError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'ContextError';
  }
}

const STAGES = ['dev', 'prod'] as const;
export type Stage = (typeof STAGES)[number];

const HOST = /^(\*\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/;
const CERTIFICATE = /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/;

const values = {
  stage: z.enum(STAGES),
  domain: z.string().regex(HOST).optional(), // `support.example.com`, or `*.support.example.com` for many sites
  certificate: z.string().regex(CERTIFICATE).optional(), // ARN, in the API's own region
  table: z
    .string()
    .regex(/^[\w.-]{3,255}$/)
    .optional(), // an existing table, restored from a backup, instead of the stack's own
  alarmEmail: z.email().optional(), // told of every alarm
  tracing: z.enum(['on', 'off']).default('off'), // X-Ray
} as const;

const EXPECTED: Readonly<Record<keyof typeof values, string>> = {
  stage: 'dev or prod',
  domain: 'a host name such as support.example.com or *.support.example.com',
  certificate: 'the ARN of an ACM certificate',
  table: 'the name of a DynamoDB table',
  alarmEmail: 'an e-mail address',
  tracing: 'on or off',
};

const schema = z.object(values);

/** What a deploy is told by `-c name=value`. */
export type Deployment = Readonly<z.infer<typeof schema>>;

/** Reads the context of a deploy; throws `ContextError` for the first value that is missing or wrong. */
export function readContext(find: (name: string) => unknown): Deployment {
  const given = Object.fromEntries(Object.keys(values).map((name) => [name, find(name)]));
  const result = schema.safeParse(given);
  if (!result.success) throw describe(given, result.error.issues);
  const { domain, certificate } = result.data;
  if ((domain === undefined) !== (certificate === undefined)) {
    throw new ContextError('The context values domain and certificate belong together: give both or neither.');
  }
  return result.data;
}

function describe(given: Readonly<Record<string, unknown>>, issues: readonly z.core.$ZodIssue[]): ContextError {
  const name = String(issues[0]?.path[0]) as keyof typeof values;
  const value = given[name];
  const expected = EXPECTED[name];
  return value === undefined
    ? new ContextError(`The context value ${name} is missing: add -c ${name}=<value>, where it is ${expected}.`)
    : new ContextError(`The context value ${name}=${String(value)} cannot be used: it must be ${expected}.`);
}
