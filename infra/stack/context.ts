import * as z from 'zod';

/** A context value is missing or wrong: the deploy stops at synth with this message. */
export class ContextError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'ContextError';
  }
}

const STAGE = /^[a-z][a-z0-9-]{0,19}$/;
const SWITCH = ['on', 'off'] as const;
const MOST_CONCURRENCY = 100_000; // calls at once

const LONGEST_STEP = 720; // s; the function has 900, and merging the last group and a fold take some

const HOST = /^(\*\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/;
const CERTIFICATE = /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/;

const WEB_ACL = /^arn:aws[a-z-]*:wafv2:[a-z0-9-]+:\d{12}:regional\/webacl\/[\w-]+\/[\w-]+$/;

const values = {
  stage: z.string().regex(STAGE),
  domain: z.string().regex(HOST).optional(), // `support.example.com`, or `*.support.example.com` for many sites
  certificate: z.string().regex(CERTIFICATE).optional(), // ARN, in the API's own region
  table: z
    .string()
    .regex(/^[\w.-]{3,255}$/)
    .optional(), // an existing table, such as one restored from a backup, instead of the stack's own
  alarmEmail: z.union([z.literal('none'), z.email()]).optional(), // receives every alarm; none: nobody does
  tls13: z.enum(SWITCH).default('off'), // whether the domain takes TLS 1.3 too, which not every region has
  tracing: z.enum(SWITCH).default('off'), // X-Ray
  gatewayRole: z.enum(SWITCH).default('on'), // whether this stack sets the account's role for API Gateway's logs
  accountConcurrency: z.coerce.number().int().min(1).max(MOST_CONCURRENCY).optional(), // the account's limit
  insightsConcurrency: z.coerce.number().int().min(0).max(MOST_CONCURRENCY).optional(), // calls at once; 0: no limit
  ingestConcurrency: z.coerce.number().int().min(2).max(MOST_CONCURRENCY).default(5), // batches at once
  importConcurrency: z.coerce.number().int().min(2).max(MOST_CONCURRENCY).default(2), // steps of imports at once
  importStepSeconds: z.coerce.number().int().min(0).max(LONGEST_STEP).default(LONGEST_STEP),
  mailFrom: z.email().optional(), // the sender of mails, an identity that SES has verified; absent: no mails
  monthlyBudget: z.coerce.number().positive().optional(), // USD
  canary: z.enum(SWITCH).default('off'), // whether a deploy shifts traffic step by step, and back by itself
  warehouse: z.enum(SWITCH).default('off'), // whether facts go to a bucket as Parquet, for Athena
  webAcl: z.union([z.enum(SWITCH), z.string().regex(WEB_ACL)]).optional(), // default: on in stages that are kept
  runbook: z.url().optional(), // where docs/operations.md can be read by who is called
  detailedMetrics: z.enum(SWITCH).default('off'), // the gateway's metrics of each method
  emulator: z.enum(SWITCH).default('off'), // whether IAM is an emulator's, which tells policies no keys of a table
} as const;

const EXPECTED: Readonly<Record<string, string>> = {
  stage: 'a name such as dev, staging or prod: lower case letters, digits and dashes, at most 20',
  domain: 'a host name such as support.example.com or *.support.example.com',
  certificate: 'the ARN of an ACM certificate',
  table: 'the name of a DynamoDB table',
  alarmEmail: 'an e-mail address, or none',
  tls13: 'on or off',
  tracing: 'on or off',
  gatewayRole: 'on or off',
  accountConcurrency: `a whole number from 1 to ${MOST_CONCURRENCY}`,
  insightsConcurrency: `a whole number from 0 (no bound) to ${MOST_CONCURRENCY}`,
  ingestConcurrency: `a whole number from 2 to ${MOST_CONCURRENCY}`,
  importConcurrency: `a whole number from 2 to ${MOST_CONCURRENCY}`,
  importStepSeconds: `a whole number of seconds from 0 to ${LONGEST_STEP}`,
  mailFrom: 'an e-mail address that SES has verified in the account and region',
  monthlyBudget: 'a sum in US dollars such as 50',
  canary: 'on or off',
  warehouse: 'on or off',
  webAcl: 'on, off, or the ARN of a regional web ACL',
  runbook: 'the address of docs/operations.md, such as https://wiki.example.com/operations',
  detailedMetrics: 'on or off',
  emulator: 'on or off',
} satisfies Record<keyof typeof values, string>;

const schema = z.object(values);

/** The parameters of a deploy, given by `-c name=value`. */
export type Deployment = Readonly<z.infer<typeof schema>> & {
  readonly endpoint?: string | undefined; // of an emulator that the deploy goes to, from the environment
};

/** Whether a stage may be destroyed with its data: `dev`, and names that begin with `dev-`. */
export const isDisposable = ({ stage }: Pick<Deployment, 'stage'>): boolean => /^dev(-|$)/.test(stage);

/** Names of our own context values: the CDK's own names and those of its caches contain a colon, a dash or an @. */
const OURS = /^\w+$/;

/**
 * Our own values among all of a context, the stage apart. Throws `ContextError` for one that is unknown, and for a stage
 * that is missing or wrong.
 */
export function ownContext(all: Readonly<Record<string, unknown>>): {
  readonly stage: string;
  readonly context: Readonly<Record<string, string>>;
} {
  const own = Object.entries(all).filter(([name]) => OURS.test(name));
  const unknown = own.find(([name]) => !Object.hasOwn(values, name));
  if (unknown !== undefined) {
    const names = Object.keys(values).join(', ');
    throw new ContextError(`The context value ${unknown[0]} is not known: there are ${names}.`);
  }
  const result = z.object({ stage: values.stage }).safeParse(all);
  if (!result.success) throw describe(all, result.error.issues);
  const context = own.filter(([name]) => name !== 'stage').map(([name, value]) => [name, String(value)]);
  return { ...result.data, context: Object.fromEntries(context) };
}

/**
 * Reads the settings of a deploy to a region (undefined: not known yet). Throws `ContextError` for the first value that
 * is missing or wrong; what a later version has added stays unread.
 */
export function readContext(all: Readonly<Record<string, unknown>>, region?: string): Deployment {
  const result = schema.safeParse(all);
  if (!result.success) throw describe(all, result.error.issues);
  const { domain, certificate } = result.data;
  if ((domain === undefined) !== (certificate === undefined)) {
    throw new ContextError('The context values domain and certificate belong together: give both or neither.');
  }
  if (region !== undefined && certificate !== undefined && certificate.split(':')[3] !== region) {
    const where = `one of ${region}, where the API goes`;
    throw new ContextError(`The context value certificate=${certificate} cannot be used: it must be ${where}.`);
  }
  const { stage, alarmEmail, monthlyBudget, emulator, tls13, webAcl } = result.data;
  if (tls13 === 'on' && domain === undefined) {
    throw new ContextError('The context value tls13=on needs domain: API Gateway decides about TLS on its own host.');
  }
  if (region !== undefined && webAcl?.startsWith('arn:') && webAcl.split(':')[3] !== region) {
    throw new ContextError(
      `The context value webAcl=${webAcl} cannot be used: it must be one of ${region}, where the API goes.`,
    );
  }
  if (emulator === 'on' && !isDisposable({ stage })) {
    throw new ContextError(`The context value emulator=on is for stages that may be destroyed, not for ${stage}.`);
  }
  if (alarmEmail === undefined && !isDisposable({ stage })) {
    throw new ContextError(
      `The alarms of ${stage} would notify nobody: add -c alarmEmail=<address>, or -c alarmEmail=none to say so.`,
    );
  }
  if (monthlyBudget !== undefined && addressOf(result.data) === undefined) {
    throw new ContextError('The context value monthlyBudget needs alarmEmail: an address for its mails.');
  }
  return result.data;
}

/** The address to which alarms are sent; undefined if nobody is. */
export const addressOf = ({ alarmEmail }: Pick<Deployment, 'alarmEmail'>): string | undefined =>
  alarmEmail === 'none' ? undefined : alarmEmail;

function describe(all: Readonly<Record<string, unknown>>, issues: readonly z.core.$ZodIssue[]): ContextError {
  const name = String(issues[0]?.path[0]);
  const value = all[name];
  const expected = EXPECTED[name];
  return value === undefined
    ? new ContextError(`The context value ${name} is missing: add -c ${name}=<value>, where it is ${expected}.`)
    : new ContextError(`The context value ${name}=${String(value)} cannot be used: it must be ${expected}.`);
}
