import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type AwsOptions, findStack } from './aws.ts';
import type { Checks } from './checks.ts';
import { mustRun, ROOT } from './command.ts';
import { CDK_ENV } from './deployment.ts';
import { commandsOf, commandsOfPipeline, filledIn, scriptOf } from './documents.ts';
import { pythonPrograms } from './python.ts';

/** Where a stage is deployed, and how its clients find it. */
interface Surroundings {
  readonly env: Readonly<Record<string, string>>;
  readonly aws: AwsOptions;
  readonly endpoint: string; // of the emulator
}

/** A checkout of the project, from which a stage is deployed as the documents say. */
interface Checkout {
  /** Runs a command of a document, with values in place of what it leaves open. Returns what it said. */
  run(command: string, values?: Readonly<Record<string, string>>): Promise<string>;
  /** Makes a release of another version: its functions answer with another document of the API. */
  release(version: string): Promise<void>;
  /** The version that the deployment answers with. */
  serving(base: string): Promise<string>;
}

const NAMES = ['node_modules', '.git', '.venv', 'cdk.out', 'coverage', 'dist', '.data', 'screenshots'];
const AWS_CLI = 'awscli==1.46.3';

/**
 * The life of a stage that is kept, by the very commands of the documents: the deploy and the look at it of
 * docs/delivery.md, a bad release that is rolled back, a later one, and the removal of docs/deploy.md.
 */
export async function liveAsDocumented(checks: Checks, surroundings: Surroundings): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'checkout-'));
  const stage = `staging-${randomUUID().slice(0, 8)}`;
  const stack = `SupportService-${stage}`;
  try {
    const checkout = await checkOut(folder, surroundings);
    const others = await resourcesOf(checkout);
    const deploy = await deployment(checkout, stage);
    const begun = await checks.step('a stage that is kept is deployed by the pipeline', async () => {
      await checkout.release('1.0.1');
      await deploy();
      return placeOf(surroundings, stack, stage);
    });
    if (begun === undefined) return;
    await checks.step('the pipeline looks at it', () => lookAt(checkout, begun));
    await checks.step('a release is rolled back, and the next one goes forward', () =>
      rollBack(checkout, begun, deploy),
    );
    await checks.step('it is removed, and nothing else is', () => remove(checkout, stage, others));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A deployed stage. */
interface Place {
  readonly base: string; // ends with a slash, as the output `BaseUrl`
  readonly outputs: Readonly<Record<string, string>>;
}

async function placeOf({ aws, endpoint }: Surroundings, stack: string, stage: string): Promise<Place> {
  const { Outputs = [] } = (await findStack(aws, stack)) ?? {};
  const outputs = Object.fromEntries(Outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
  const id = new URL(outputs.BaseUrl ?? '').hostname.split('.')[0];
  return { base: `${endpoint}/_aws/execute-api/${id}/${stage}/`, outputs };
}

/** Copies the project: a release changes a file. */
async function checkOut(folder: string, { env }: Surroundings): Promise<Checkout> {
  const aws = join(await pythonPrograms([AWS_CLI]), 'aws');
  const programs = join(folder, 'programs');
  const all = { ...env, ...CDK_ENV, CURL_CA_BUNDLE: env.AWS_CA_BUNDLE ?? '', PATH: `${programs}:${process.env.PATH}` };
  await cp(ROOT, folder, { recursive: true, filter: (from) => !NAMES.includes(basename(from)) });
  await mkdir(programs);
  // Of version 1, the one of PyPI, `aws sqs` follows this option alone.
  await writeFile(join(programs, 'aws'), `#!/bin/sh\nexec ${aws} --endpoint-url "$AWS_ENDPOINT_URL" "$@"\n`, {
    mode: 0o755,
  });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const run: Checkout['run'] = (command, values = {}) =>
    // By pipes it would read .bashrc, which may change the PATH.
    mustRun('bash', ['--norc', '-c', filledIn(command, values)], { env: all, cwd: folder });
  return {
    run,
    async release(version) {
      const file = join(folder, 'openapi.json');
      const text = await readFile(file, 'utf8');
      await writeFile(file, text.replace(/("version": )"[^"]*"/, `$1"${version}"`));
    },
    async serving(base) {
      const { info } = JSON.parse(await run(`curl --fail --silent ${base}openapi.json`));
      return String(info.version);
    },
  };
}

/** The pipeline's deploy of a stage, beside another one. ministack knows no association of a web ACL. */
async function deployment({ run }: Checkout, stage: string): Promise<() => Promise<string>> {
  const command = (await commandsOfPipeline()).find((each) => each.startsWith('npx cdk deploy')) ?? '';
  const values = { '${{ vars.STAGE }}': stage };
  let settings = ' -c alarmEmail=none -c webAcl=off -c gatewayRole=off'; // of the first deploy, by hand
  return async () => {
    const said = await run(`${command}${settings}`, values);
    settings = '';
    return said;
  };
}

/** The pipeline's checks after a deploy; the last one fails while there is no site, and holds once there is one. */
async function lookAt({ run }: Checkout, { base, outputs }: Place): Promise<void> {
  const looks = (await commandsOfPipeline()).filter((command) => command.includes('curl'));
  if (looks.length !== 2) throw new Error(`the pipeline looks ${looks.length} times`);
  const look = async (): Promise<void> => {
    for (const command of looks) await run(command, { '${{ vars.BASE_URL }}': base });
  };
  const without = await look().then(
    () => 'nothing',
    (error: unknown) => String(error),
  );
  if (!without.includes('= 401')) throw new Error(`without a site: ${without}`);
  const [addSite = ''] = await commandsOf('deploy.md', 'From account to first report', 'npx support site add');
  await run(addSite, { '<table>': outputs.TableName ?? '' });
  await look();
}

/**
 * Deploys a release that changes a function, points its alias back, and deploys one more: the versions that answer
 * are the new one, the one before, and the newest.
 */
async function rollBack(checkout: Checkout, { base, outputs }: Place, deploy: () => Promise<string>): Promise<void> {
  const { run, release, serving } = checkout;
  const expectVersion = async (version: string): Promise<void> => {
    const found = await serving(base);
    if (found !== version) throw new Error(`the deployment serves ${found}, not ${version}`);
  };
  const before = await serving(base);
  const [list = '', get = '', update = ''] = await commandsOf('delivery.md', 'Rolling back', 'aws lambda');
  const ofFunction = { '<function>': outputs.TopicsFunction ?? '' };
  const live = async (): Promise<string> => JSON.parse(await run(get, ofFunction));
  const earlier = await live();
  await release('1.0.2');
  await deploy();
  await expectVersion('1.0.2');
  const later = await live();
  const known: readonly (readonly string[])[] = JSON.parse(await run(list, ofFunction));
  for (const version of [earlier, later])
    if (!known.some(([name]) => name === version)) throw new Error(`${list} does not list the version ${version}`);
  await run(update, { ...ofFunction, '<earlier version>': earlier });
  await expectVersion(before);
  await release('1.0.3');
  await deploy();
  await expectVersion('1.0.3');
}

/** What the removal of a stage may leave or take along by mistake: how each kind of resource is listed. */
const LISTS = {
  stack: "cloudformation describe-stacks --query 'Stacks[].StackName'",
  table: "dynamodb list-tables --query 'TableNames'",
  queue: "sqs list-queues --query 'QueueUrls'",
  bucket: "s3api list-buckets --query 'Buckets[].Name'",
  'log group': "logs describe-log-groups --query 'logGroups[].logGroupName'",
  secret: "secretsmanager list-secrets --query 'SecretList[].Name'",
  function: "lambda list-functions --query 'Functions[].FunctionName'",
  'function that a queue triggers': "lambda list-event-source-mappings --query 'EventSourceMappings[].FunctionArn'",
  api: "apigateway get-rest-apis --query 'items[].name'",
  alarm: "cloudwatch describe-alarms --query 'MetricAlarms[].AlarmName'",
  dashboard: "cloudwatch list-dashboards --query 'DashboardEntries[].DashboardName'",
  rule: "events list-rules --query 'Rules[].Name'",
  topic: "sns list-topics --query 'Topics[].TopicArn'",
  role: "iam list-roles --query 'Roles[].RoleName'",
  parameter: "ssm describe-parameters --query 'Parameters[].Name'",
} as const;

async function resourcesOf({ run }: Checkout): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const [kind, list] of Object.entries(LISTS))
    for (const name of JSON.parse(await run(`aws ${list} --output json`)) ?? []) found.add(`${kind} ${name}`);
  return found;
}

/** Removes a stage; nothing may be left that bears its name, and all that was there before it must be there. */
async function remove(checkout: Checkout, stage: string, others: ReadonlySet<string>): Promise<void> {
  const isOfStage = (resource: string): boolean => resource.includes(stage);
  const before = [...(await resourcesOf(checkout))].filter(isOfStage);
  const kinds = Object.keys(LISTS).filter((kind) => !before.some((resource) => resource.startsWith(`${kind} `)));
  if (kinds.length > 0) throw new Error(`no list shows of the stage: ${kinds.join(', ')}`);
  const script = await scriptOf('deploy.md', 'Removing a stage');
  const left = await checkout.run(`set -euo pipefail\n${script}`, { staging: stage });
  if (left.trimEnd().split('\n').at(-1)?.startsWith('arn:')) throw new Error(`by their tags there are still: ${left}`);
  const after = await resourcesOf(checkout);
  const stays = [...after].filter(isOfStage);
  const gone = [...others].filter((resource) => !after.has(resource));
  if (stays.length + gone.length > 0) throw new Error(`left: ${stays.join(', ')}; gone beside it: ${gone.join(', ')}`);
}
