import * as z from 'zod';
import { plainLine } from './text.ts';

const PORT_RANGE = 'PORT must be a whole number from 0 to 65535';
const port = z.coerce.number(PORT_RANGE).int(PORT_RANGE).min(0, PORT_RANGE).max(65_535, PORT_RANGE);
const HEAP_RANGE = 'IMPORT_HEAP_MB must be a whole number from 64 to 65536';
const heap = z.coerce.number(HEAP_RANGE).int(HEAP_RANGE).min(64, HEAP_RANGE).max(65_536, HEAP_RANGE);
const unsetIfEmpty = (value: unknown): unknown => (value === '' ? undefined : value);
const optional = z.preprocess(unsetIfEmpty, z.string().optional());

/** What queries of all sites may read in a day, unless a setting says else: $25. */
export const ENGINE_DAY_BYTES = 5e12;

const MAIL_SERVER = 'SMTP_URL must be an address such as smtp://user:password@mail.example:587, or smtps://…';
const SENDER = 'MAIL_FROM must be an address such as reports@acme.example, or Name <reports@acme.example>';
const OWN_URL = 'PUBLIC_URL must be the address of the service, such as https://help.acme.example';
const url = (scheme: RegExp, message: string) =>
  z.preprocess(
    unsetIfEmpty,
    z
      .string()
      .refine((text) => URL.canParse(text) && scheme.test(text) && new URL(text).hostname !== '', message)
      .optional(),
  );

const schema = z.object({
  PORT: z.preprocess(unsetIfEmpty, port.default(3000)), // 0: any free port
  HOST: z.preprocess(unsetIfEmpty, z.string().default('127.0.0.1')),
  DATA_DIR: optional, // default `.data` in the project
  DYNAMODB_ENDPOINT: optional, // unset: the data folder locally, AWS in the cloud
  TABLE_NAME: optional,
  AWS_ACCESS_KEY_ID: optional, // without key and profile, an endpoint is taken to accept anybody
  AWS_PROFILE: optional,
  LOG_LEVEL: z.preprocess(unsetIfEmpty, z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info')),
  STAGE: optional, // the deploy: dev or prod
  CDK_DEFAULT_REGION: optional, // region of the deploy, set by the CDK
  SITES: optional, // `expected` where the table must hold sites, since it was restored from a backup
  DEAD_LETTER_URL: optional, // the queue for refused records
  AWS_ENDPOINT_URL: optional, // an endpoint that replaces AWS
  FILE_BUCKET: optional, // for the files of imports
  STEP_URL: optional, // the queue of imports with work left
  STEP_SECONDS: z.preprocess(unsetIfEmpty, z.coerce.number().int().min(0).default(720)), // longest step of an import; 0: a step merges one group of cases
  PULL_URL: optional, // the queue of due pulls of help desks
  EXPORT_URL: optional, // the queue of due exports to the warehouse, if there is one
  MAIL_URL: optional, // the queue of sites that mails are due of, in the cloud
  WAREHOUSE_BUCKET: optional,
  ATHENA_DATABASE: optional, // with the tables over the warehouse's bucket
  ATHENA_WORKGROUP: optional, // which runs the queries of large reports; unset: all reports are scanned
  ENGINE_FACTS: z.preprocess(unsetIfEmpty, z.coerce.number().int().min(0).default(20_000_000)), // the most facts that a report scans
  ENGINE_DAY_BYTES: z.preprocess(unsetIfEmpty, z.coerce.number().int().min(0).default(ENGINE_DAY_BYTES)), // that queries of all sites may read in a day
  FILE_ORIGIN: optional, // origin to which browsers send files, besides the service itself
  IMPORT_HEAP_MB: z.preprocess(unsetIfEmpty, heap.default(1024)), // of the process of an import; an import holds less, whatever its size (docs/performance.md)
  OAUTH_SECRET: optional, // the secret with the keys of OAuth, for a deployed table: name or ARN
  CONNECTION_SECRET: optional, // the secret with the key of connections to help desks, for a deployed table: name or ARN
  CONNECT_LOOPBACK: z.preprocess(unsetIfEmpty, z.enum(['0', '1']).default('1')), // 0: no help desk on this machine is called
  CONNECT_PRIVATE: z.preprocess(unsetIfEmpty, z.enum(['0', '1']).default('0')), // 1: help desks of one's own may have private addresses
  SMTP_URL: url(/^smtps?:\/\//i, MAIL_SERVER), // the mail server for subscriptions and alerts; unset: no mail is sent
  MAIL_FROM: z.preprocess(
    unsetIfEmpty,
    z
      .string()
      .regex(/^([^<>@\p{C}]*<)?[^\s<>@,]+@[^\s<>@,]+?>?$/u, SENDER)
      .optional(),
  ), // the sender of mails
  PUBLIC_URL: url(/^https?:\/\//i, OWN_URL), // what links in mails begin with
  npm_command: optional, // set where npm or npx started the process
  DEMO: z.preprocess(unsetIfEmpty, z.enum(['0', '1']).default('1')), // 0: no demo site
});

export type Settings = Readonly<z.infer<typeof schema>>;

/**
 * Reads the settings from the environment; defined values of `given` override it. Throws an error whose one sentence
 * names the setting at fault.
 */
export function readSettings(
  given: Readonly<Record<string, string | undefined>> = {},
  inherited: Readonly<Record<string, string | undefined>> = process.env,
): Settings {
  const defined = Object.entries(given).filter(([, value]) => value !== undefined);
  const environment = { ...inherited, ...Object.fromEntries(defined) };
  const result = schema.safeParse(environment);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const name = String(issue?.path[0] ?? 'environment');
  throw new Error(
    `The setting ${name}${shown(environment[name])} cannot be used: ${issue?.message ?? 'it is not valid'}`,
  );
}

/** The value of a setting for people; one in which a name and a password may stand before `@` is not shown. */
const shown = (value = ''): string => (/^[^:]*:.*@/su.test(value) ? '' : `=${plainLine(value)}`);

/**
 * In ms. `answerWithin`: the longest time of a request, as API Gateway stops waiting after 29 s. `lease`: the longest
 * hold of the insights lock.
 */
export const LIMITS = { answerWithin: 27_000, lease: 30_000 } as const;

/** The same of the reports of mails: where there is an engine, one may take as long as a large query does. */
export const mailLimits = ({ ATHENA_WORKGROUP }: Pick<Settings, 'ATHENA_WORKGROUP'>) =>
  ATHENA_WORKGROUP === undefined ? LIMITS : { answerWithin: 300_000, lease: 303_000 };
