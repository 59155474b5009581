import { createHash, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { openTable } from '../../lib/store/dynamodb.ts';
import { keyText, type Table } from '../../lib/store/table.ts';
import { withFolder } from '../support/service/program.ts';
import { type AwsOptions, findStack } from './aws.ts';
import { mustRun } from './command.ts';
import { cdk, type Outputs } from './deployment.ts';
import { madeUpHistory } from './golden.ts';
import { tableOptions } from './moving.ts';

/** A deployment with a site, a user and history that the tests did not make for themselves. */
export interface Bystander {
  readonly outputs: Outputs;
  /** Login and password of an Administrator of an empty site, which is the default one. */
  readonly account: Readonly<Record<'API_LOGIN' | 'API_PASSWORD', string>>;
  /** Throws if the stack or an item of the table differs from what it was; the empty site does not count. */
  untouched(): Promise<void>;
}

const STAGE = 'dev';
const EMPTY = 'black-box';

/** Deploys the stage `dev`, as somebody would who works with it. */
export async function settle(env: Readonly<Record<string, string>>, aws: AwsOptions): Promise<Bystander> {
  const stage = { name: STAGE, context: {}, env, aws };
  const tools = cdk({ ...stage, tag: 'somebody' });
  await tools.bootstrap();
  const { outputs } = await tools.deploy();
  const place = tableOptions('', { name: outputs.TableName, endpoint: env.AWS_ENDPOINT_URL });
  const support = (args: readonly string[], input = '') =>
    mustRun('npx', ['support', ...args, ...place], { env, input });
  const account = { API_LOGIN: `tester@${EMPTY}.example`, API_PASSWORD: randomUUID() };
  const addUser = async (site: string, login: string, password: string): Promise<void> => {
    const user = ['--site', site, '--login', login, '--role', 'Administrator', '--password-stdin'];
    await support(['user', 'add', ...user], `${password}\n`);
  };
  await support(['site', 'add', 'house']);
  await addUser('house', 'ann@house.example', randomUUID());
  await withFolder(async (folder) => {
    const file = join(folder, 'history.ndjson');
    await writeFile(file, madeUpHistory());
    await support(['import', file, '--site', 'house']);
  });
  await support(['site', 'add', EMPTY, '--default', '--locales', 'en_us,de']);
  await addUser(EMPTY, account.API_LOGIN, account.API_PASSWORD);
  const table = openTable(new DynamoDBClient(aws), outputs.TableName);
  const look = async () => new Map([...(await itemsOf(table)), ['the stack', await stackOf(aws, tools.stack)]]);
  const before = await look();
  return {
    outputs,
    account,
    async untouched() {
      const now = await look();
      const names = [...new Set([...before.keys(), ...now.keys()])];
      const changed = names.filter((name) => before.get(name) !== now.get(name));
      if (changed.length > 0) throw new Error(`changed:\n${changed.map((name) => JSON.stringify(name)).join('\n')}`);
      await refusesOthers(stage);
    },
  };
}

/** Nobody else deploys over the stack or destroys it by the tools of this test. */
async function refusesOthers(stage: Omit<Parameters<typeof cdk>[0], 'tag'>): Promise<void> {
  const others = cdk({ ...stage, tag: 'somebody else' });
  for (const attempt of [() => others.deploy(), others.destroy]) {
    const said = await attempt().then(
      () => 'nothing',
      (error: unknown) => String(error),
    );
    if (!said.includes('was not made by this test')) throw new Error(`refused with: ${said}`);
  }
}

/** A digest of each item, by its key. */
async function itemsOf(table: Table): Promise<Map<string, string>> {
  const digests = new Map<string, string>();
  for await (const page of table.scan()) {
    for (const item of page.filter(({ pk }) => !pk.startsWith(`site#${EMPTY}#`))) {
      const text = JSON.stringify(
        Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)),
        (_, value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value),
      );
      digests.set(keyText(item), createHash('sha256').update(text).digest('hex'));
    }
  }
  return digests;
}

async function stackOf(aws: AwsOptions, name: string): Promise<string> {
  const client = new CloudFormationClient(aws);
  const { TemplateBody } = await client.send(new GetTemplateCommand({ StackName: name }));
  return JSON.stringify([await findStack(aws, name), TemplateBody]);
}
