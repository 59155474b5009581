import * as z from 'zod';

const PORT_RANGE = 'PORT must be a whole number from 0 to 65535';
const port = z.coerce.number(PORT_RANGE).int(PORT_RANGE).min(0, PORT_RANGE).max(65_535, PORT_RANGE);
const unsetIfEmpty = (value: unknown): unknown => (value === '' ? undefined : value);
const THREAD_RANGE = 'REPORT_THREADS must be a whole number from 0 to 64';
const threads = z.coerce.number(THREAD_RANGE).int(THREAD_RANGE).min(0, THREAD_RANGE).max(64, THREAD_RANGE);
const optional = z.preprocess(unsetIfEmpty, z.string().optional());

const schema = z.object({
  PORT: z.preprocess(unsetIfEmpty, port.default(3000)), // 0 takes a free one
  HOST: z.preprocess(unsetIfEmpty, z.string().default('127.0.0.1')),
  REPORT_THREADS: z.preprocess(unsetIfEmpty, threads.default(0)), // that compute reports beside the one that serves
  DATA_DIR: optional, // default `.data` in the project
  DYNAMODB_ENDPOINT: optional, // unset: the data folder locally, AWS in the cloud
  TABLE_NAME: optional,
  AWS_ACCESS_KEY_ID: optional, // with neither key nor profile an endpoint counts as an engine that takes anybody
  AWS_PROFILE: optional,
  LOG_LEVEL: z.preprocess(unsetIfEmpty, z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info')),
  STAGE: optional, // of a deploy: dev or prod
  CDK_DEFAULT_REGION: optional, // where a deploy goes, as the CDK tells
  DEAD_LETTER_URL: optional, // the queue where refused records go
  npm_command: optional, // set where npm or npx started the process
  DEMO: z.preprocess(unsetIfEmpty, z.enum(['0', '1']).default('1')), // 0 leaves the demo site out
});

export type Settings = Readonly<z.infer<typeof schema>>;

/** The settings of the environment (contract.md, Running it); throws one sentence that names what is wrong. */
export function readSettings(environment: Record<string, string | undefined> = process.env): Settings {
  const result = schema.safeParse(environment);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const name = String(issue?.path[0] ?? 'environment');
  throw new Error(
    `The setting ${name}=${environment[name] ?? ''} cannot be used: ${issue?.message ?? 'it is not valid'}`,
  );
}

/** How long a request may take, in ms, and the insights lock holds at most: API Gateway gives up after 29 s. */
export const LIMITS = { answerWithin: 27_000, lease: 30_000 } as const;
