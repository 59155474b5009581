import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { SQSClient } from '@aws-sdk/client-sqs';
import { openTable } from '../../lib/store/dynamodb.ts';
import { sharedData } from '../support/service/data-file.ts';
import { withFolder } from '../support/service/program.ts';
import { acceptance, CONTRACT } from './acceptance.ts';
import { type AwsOptions, awsOptions } from './aws.ts';
import type { Checks } from './checks.ts';
import { type Client, createClient } from './client.ts';
import { mustRun } from './command.ts';
import { tryConnecting } from './connecting.ts';
import { tryConsole } from './console.ts';
import type { Outputs, Tools } from './deployment.ts';
import { type CloudAthena, tryEngine } from './engine.ts';
import { GOLDEN, MADE_UP, madeUpHistory, WHOLE_TIME } from './golden.ts';
import { receive, subscribe } from './mails.ts';
import { MOVED, moveThereAndBack, type Support, tableOptions } from './moving.ts';
import { createStream, type Stream } from './queue.ts';
import { rememberSettings } from './remembering.ts';
import { loseAndRestore, restoreAndKeep } from './restoring.ts';
import { tryOAuth } from './signing.ts';
import { tryUploads } from './uploads.ts';
import { tryWarehouse } from './warehouse.ts';

/** A deployment to be tried out. */
export interface Deployed {
  readonly stage: string;
  readonly outputs: Outputs;
  readonly base: string; // what comes before `/api/v2`
  readonly host: string | undefined; // of the base where the gateway takes no other
  readonly env: Readonly<Record<string, string>>;
  readonly ca: string | undefined; // PEM of who signed the emulator's certificate
  readonly athena?: CloudAthena | undefined; // what answers for Athena on an emulator
  readonly isWhole: boolean; // else what another round does under stricter rules is left out
}

const SITE = 'acme';
const LOGIN = 'administrator@acme.example';
const PASSWORD = 'a password of the cloud test';
const FRESH_WITHIN = 5_000; // ms from a record's arrival on the queue to its report (docs/import.md)

/** What must be as it was once a copy was brought back. */
const RESTORED = {
  paths: ['/api/v2/topics', '/api/v2/users', '/api/v2/insights3/meta'],
  report: { fields: ['case_creates', 'case_resolves', 'resolved_cases'], time: WHOLE_TIME },
};

/** Tries out all that an operator and a client do with a deployment, in the order of its life. */
export async function tryOut(checks: Checks, deployed: Deployed, tools: Tools): Promise<void> {
  const { isWhole, outputs, env, ca, base, host = `${SITE}.localhost` } = deployed;
  const anywhere: Support = (args, input = '') => mustRun('npx', ['support', ...args], { env, input });
  const table = { name: outputs.TableName, endpoint: env.AWS_ENDPOINT_URL };
  const support: Support = (args, input) => anywhere([...args, ...tableOptions('', table)], input);
  const client = createClient(base, host, LOGIN, PASSWORD);
  const aws = awsOptions(env, ca);
  const stream = createStream(new SQSClient(aws), SITE, outputs.QueueUrl, outputs.DeadLetterUrl);

  if (isWhole)
    await checks.step('a data folder moves into the cloud and back', () => moveThereAndBack(anywhere, table));
  await checks.step('a site and a user by the command line', () => addSite(support));
  const stranger = createClient(base, deployed.host ?? 'unknown.localhost', LOGIN, PASSWORD);
  await checks.step('a host that no site has gets 404', async () => {
    const answer = await stranger.get('/api/v2/topics').catch((error: unknown) => error);
    if (!String(answer).includes(': 404 {"message":"Resource Not Found"')) throw new Error(String(answer));
  });
  await checks.step('with a default site it is answered', async () => {
    await support(['site', 'set', SITE, '--default']);
    await stranger.get('/api/v2/topics');
  });
  await checks.step('the site answers by its own host', () => client.get('/api/v2/topics'));

  await checks.step('a program signs by OAuth 1.0a', () => {
    const secret = outputs.OAuthSecretName;
    return tryOAuth({ support, base, host, stage: deployed.stage, secret, site: SITE, login: LOGIN });
  });
  await importAndReport(checks, client, support);
  if (isWhole) {
    await checks.step('a copy brought back after a loss answers as before', () =>
      loseAndRestore(anywhere, table, { sites: [SITE, MOVED], client, ...RESTORED }),
    );
    await rememberSettings(checks, deployed.stage, { tools, aws, env });
    await checks.step(
      'a restored table has the TTL, backups, tags and protection of the old one, and stays in use',
      () => restoreAndKeep(anywhere, table, { tools, aws }, { sites: [SITE, MOVED], client, ...RESTORED }),
    );
  }
  const endpoint = env.AWS_ENDPOINT_URL;
  const deliver = outputs.DeliverFunction;
  if (endpoint === undefined || deliver === undefined) {
    checks.skip('a mail', 'SES must know the sender, and an emulator with IAM tells policies of none');
    await tryLive(checks, client, stream);
  } else {
    const mailbox = { client, aws, endpoint, deliver, recipient: LOGIN };
    const due = await checks.step('somebody subscribes to a report', () => subscribe(mailbox));
    await tryLive(checks, client, stream);
    if (due !== undefined) await checks.step('the mail comes once, when it is due', () => receive(mailbox, due));
  }
  await askEngine(checks, deployed, client, stream);
  if (!isWhole) return;
  await bringFiles(checks, deployed, client, aws);
  if (!env.AWS_ENDPOINT_URL?.startsWith('http:'))
    // its bucket, too, takes files over TLS alone
    await tryWarehouse(checks, { client, site: SITE, outputs, aws, support });
  if (endpoint === undefined) checks.skip('a connection to a help desk', 'AWS calls no help desk on this machine');
  else await tryConnecting(checks, client);
  await checks.step('a compaction changes no report', () => compactOnce(client, outputs, aws));
  await accept(checks, deployed, support);
  await contract(checks, env);
  await checks.step('a second deploy changes nothing', async () => {
    const { changed } = await tools.deploy();
    if (changed) throw new Error('the CDK found changes');
  });
}

const addSite = async (support: Support): Promise<void> => {
  await support(['site', 'add', SITE]);
  await support(
    ['user', 'add', '--site', SITE, '--login', LOGIN, '--role', 'Administrator', '--password-stdin'],
    `${PASSWORD}\n`,
  );
};

/** Has reports counted by the warehouse, where something answers for Athena. */
async function askEngine(checks: Checks, deployed: Deployed, client: Client, stream: Stream): Promise<void> {
  const { athena, outputs, env, ca } = deployed;
  if (athena === undefined || outputs.WarehouseBucket === undefined) {
    checks.skip('reports by the warehouse', 'nothing stands in for Athena here');
    return;
  }
  athena.open(outputs.WarehouseBucket, awsOptions(env, ca));
  await tryEngine(checks, { client, stream, athena });
}

/** Tries out nothing but reports by the warehouse, over a made-up history. */
export async function tryEngineAlone(checks: Checks, deployed: Deployed): Promise<void> {
  const { outputs, env, ca, base, host = `${SITE}.localhost` } = deployed;
  const at = tableOptions('', { name: outputs.TableName, endpoint: env.AWS_ENDPOINT_URL });
  const support: Support = (args, input = '') => mustRun('npx', ['support', ...args, ...at], { env, input });
  const stream = createStream(new SQSClient(awsOptions(env, ca)), SITE, outputs.QueueUrl, outputs.DeadLetterUrl);
  await checks.step('a site and a user by the command line', () => addSite(support));
  await checks.step('a made-up history by the command line', () => importMadeUp(support));
  await askEngine(checks, deployed, createClient(base, host, LOGIN, PASSWORD), stream);
}

const importMadeUp = (support: Support): Promise<string> =>
  withFolder(async (folder) => {
    await writeFile(join(folder, 'history.ndjson'), madeUpHistory());
    return support(['import', join(folder, 'history.ndjson'), '--site', SITE]);
  });

/** Brings files through the API and in a browser, where the bucket takes them. */
async function bringFiles(checks: Checks, deployed: Deployed, client: Client, aws: AwsOptions): Promise<void> {
  const { stage, outputs, base } = deployed;
  const endpoint = deployed.env.AWS_ENDPOINT_URL;
  if (endpoint?.startsWith('http:')) {
    checks.skip('files, and the console in a browser', 'the bucket takes files over TLS alone; this emulator has none');
    return;
  }
  await tryUploads(checks, { client, table: tableOf(outputs, aws), site: SITE, endpoint, stage });
  await tryConsole(checks, { outputs, base, endpoint, login: LOGIN, password: PASSWORD });
}

/** The acceptance suite over HTTP; in AWS, where a gateway takes no made-up hosts, as far as credentials suffice. */
async function accept(checks: Checks, { env, outputs, base, host }: Deployed, support: Support): Promise<void> {
  const title = 'the acceptance suite over HTTP';
  const whole = { ...env, API_URL: base, TABLE_NAME: outputs.TableName };
  if (host === undefined) return acceptance(checks, title, whole, { workers: 2 });
  const [API_LOGIN, API_PASSWORD] = ['tester@black-box.example', randomUUID()];
  await support(['site', 'add', 'black-box', '--host', host, '--locales', 'en_us,de']);
  const user = ['--site', 'black-box', '--login', API_LOGIN, '--role', 'Administrator', '--password-stdin'];
  await support(['user', 'add', ...user], `${API_PASSWORD}\n`);
  await acceptance(checks, `${title}, by credentials alone`, { ...env, API_URL: base, API_LOGIN, API_PASSWORD });
}

/** The contract of tables, on tables of the emulator's own; in an account it would make and leave some. */
async function contract(checks: Checks, env: Deployed['env']): Promise<void> {
  const endpoint = env.AWS_ENDPOINT_URL;
  if (endpoint === undefined) checks.skip('the contract of tables', 'it makes tables of its own');
  else
    await acceptance(
      checks,
      'the contract of tables',
      { ...env, TEST_ENDPOINT: endpoint, UNITS: 'none' },
      { files: CONTRACT },
    );
}

async function importAndReport(checks: Checks, client: Client, support: Support): Promise<void> {
  const log = sharedData('incident-log.csv.gz');
  if (log === null) {
    checks.skip('the golden numbers', 'there is no ../shared/data');
    await checks.step('a made-up history by the command line', () => importMadeUp(support));
  } else {
    await checks.step('the incident log by the command line', () =>
      support(['import', log, '--site', SITE, '--format', 'csv', '--map', 'test/data/incident-log.mapping.json']),
    );
  }
  for (const { title, body, rows } of log === null ? MADE_UP : GOLDEN) {
    await checks.step(`a report: ${title}`, async () => expectRows(await client.report(body), rows));
  }
}

async function tryLive(checks: Checks, client: Client, stream: Stream): Promise<void> {
  const at = '2027-03-01T09:00:00Z'; // where no other record is
  const time = { min: '2027-03-01T00:00:00Z', max: '2027-03-02T00:00:00Z', window_size: 'none' };
  const created = (id: string) => ({ type: 'case.created', id, at, case: id, channel: 1 });
  const counted = async () => Number((await client.report({ fields: ['case_creates'], time }))[0]?.[0]);
  const arrives = async (count: number, within: number) => {
    const begun = Date.now();
    while (Date.now() - begun < within) {
      if ((await counted()) === count) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`after ${within} ms the report counts ${await counted()} cases, not ${count}`);
  };

  await checks.step('wakes the function that takes records in', async () => {
    await stream.send(created('live-1'), 'live-1');
    await arrives(1, 30_000);
  });
  await checks.step('a live record is in a report within 5 s', async () => {
    await stream.send(created('live-2'), 'live-2');
    await arrives(2, FRESH_WITHIN);
  });
  await checks.step('the same record again changes nothing', async () => {
    await stream.send(created('live-2'), 'live-2');
    await stream.send(created('live-3'), 'live-2'); // comes after it
    await arrives(3, FRESH_WITHIN);
  });
  await checks.step('a poison message goes to the dead letters with its reason and holds up nobody', async () => {
    await stream.send(created('live-4'), 'poisoned');
    await stream.send({ type: 'case.exploded', id: 'poison' }, 'poisoned');
    await stream.send('{"type":', 'poisoned');
    await stream.send(created('live-5'), 'poisoned');
    await arrives(5, 2 * FRESH_WITHIN);
    const reasons: (string | undefined)[] = [];
    for (let letters = 0; letters < 2; letters += 1) {
      reasons.push((await stream.deadLetter(10_000))?.MessageAttributes?.reason?.StringValue);
    }
    expectRows(reasons.sort(), ['the line is not JSON', 'type: "case.exploded" is not a record type']);
  });
  await checks.step('a live reference record gives its member a name', async () => {
    await stream.send({ type: 'channel', id: 1, name: 'Carrier pigeon' }, 'reference');
    const begun = Date.now();
    while (Date.now() - begun < 2 * FRESH_WITHIN) {
      if (JSON.stringify(await client.get('/api/v2/insights3/meta')).includes('Carrier pigeon')) return;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    throw new Error('the channel has no name yet');
  });
}

/** Folds by hand, as docs/operations.md says, and compares a report before and after. */
async function compactOnce(client: Client, outputs: Outputs, aws: AwsOptions): Promise<void> {
  const report = () => client.report({ fields: ['case_creates', 'case_resolves'], time: WHOLE_TIME });
  const before = await report();
  const lambda = new LambdaClient(aws);
  const payload = Buffer.from(JSON.stringify({ force: true }));
  const { FunctionError, Payload } = await lambda.send(
    new InvokeCommand({ FunctionName: outputs.CompactFunction, Qualifier: 'live', Payload: payload }),
  );
  if (FunctionError) throw new Error(`${FunctionError}: ${Buffer.from(Payload ?? []).toString()}`);
  expectRows(await report(), before);
}

const tableOf = ({ TableName }: Outputs, aws: AwsOptions) => openTable(new DynamoDBClient(aws), TableName);

function expectRows(found: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) throw new Error(`expected ${b}\n     got ${a}`);
}
