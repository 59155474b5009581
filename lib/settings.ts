import * as z from 'zod';

const PORT_RANGE = 'PORT must be a whole number from 0 to 65535';
const port = z.coerce.number(PORT_RANGE).int(PORT_RANGE).min(0, PORT_RANGE).max(65_535, PORT_RANGE);
const unsetIfEmpty = (value: unknown): unknown => (value === '' ? undefined : value);
const optional = z.preprocess(unsetIfEmpty, z.string().optional());

const schema = z.object({
  PORT: z.preprocess(unsetIfEmpty, port.default(3000)), // 0 takes a free one
  HOST: z.preprocess(unsetIfEmpty, z.string().default('127.0.0.1')),
  DATA_DIR: optional, // default `.data` in the project
  DYNAMODB_ENDPOINT: optional, // unset: the data folder locally, AWS in the cloud
  TABLE_NAME: optional,
  AWS_ACCESS_KEY_ID: optional, // with neither key nor profile an endpoint counts as an engine that takes anybody
  AWS_PROFILE: optional,
  LOG_LEVEL: z.preprocess(unsetIfEmpty, z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info')),
  STAGE: optional, // of a deploy: dev or prod
  CDK_DEFAULT_REGION: optional, // where a deploy goes, as the CDK tells
  DEAD_LETTER_URL: optional, // the queue where refused records go
  AWS_ENDPOINT_URL: optional, // where something stands in for AWS
  FILE_BUCKET: optional, // of the files of imports
  STEP_URL: optional, // the queue of imports that have work to be done
  STEP_SECONDS: z.preprocess(unsetIfEmpty, z.coerce.number().int().min(1).default(720)), // a step of an import works so long
  FILE_ORIGIN: optional, // where browsers send files, beside the service itself
  npm_command: optional, // set where npm or npx started the process
  DEMO: z.preprocess(unsetIfEmpty, z.enum(['0', '1']).default('1')), // 0 leaves the demo site out
});

export type Settings = Readonly<z.infer<typeof schema>>;

/**
 * The settings of the environment, in the place of which `given` ones stand where they are defined; throws one sentence that
 * names what is wrong.
 */
export function readSettings(
  given: Readonly<Record<string, string | undefined>> = {},
  surroundings: Readonly<Record<string, string | undefined>> = process.env,
): Settings {
  const defined = Object.entries(given).filter(([, value]) => value !== undefined);
  const environment = { ...surroundings, ...Object.fromEntries(defined) };
  const result = schema.safeParse(environment);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const name = String(issue?.path[0] ?? 'environment');
  throw new Error(
    `The setting ${name}=${environment[name] ?? ''} cannot be used: ${issue?.message ?? 'it is not valid'}`,
  );
}

/** How long a request may take, in ms, and the insights lock holds at most: API Gateway stops waiting after 29 s. */
export const LIMITS = { answerWithin: 27_000, lease: 30_000 } as const;
