import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Checks } from './checks.ts';
import { mustRun, ROOT, run } from './command.ts';
import { CDK_ENV } from './deployment.ts';
import { pythonPrograms } from './python.ts';

const ACCOUNT = '000000000000'; // of an emulator
const AWS_CLI = 'awscli==1.46.3';

/** How the emulator names the log groups of a stage; AWS names them after the stack. */
const LOG_GROUPS = {
  here: 'log-group:/aws/cloudformation/SupportService-<stage>/',
  aws: 'log-group:SupportService-<stage>-',
};

/** The emulator looks for this right on all tables, AWS on the one that a call names, which the policies have. */
const ON_ALL = { Effect: 'Allow', Action: 'dynamodb:ListTagsOfResource', Resource: '*' };

type Environment = Readonly<Record<string, string>>;

const stacks = z.object({
  Stacks: z.tuple([z.object({ Outputs: z.array(z.object({ OutputKey: z.string(), OutputValue: z.string() })) })]),
});
const accessKey = z.object({ AccessKey: z.object({ AccessKeyId: z.string(), SecretAccessKey: z.string() }) });

/** The policies of a page of the documents, in the order in which they stand, with values in place of what they leave open. */
async function policiesOf(page: string, values: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const text = await readFile(join(ROOT, 'docs', page), 'utf8');
  return [...text.matchAll(/^```json\n(\{\n {2}"Version".*?)^```/gms)].map(([, policy = '']) =>
    Object.entries(values).reduce(
      (all, [name, value]) => all.replaceAll(`<${name}>`, value),
      policy.replaceAll(LOG_GROUPS.aws, LOG_GROUPS.here),
    ),
  );
}

/**
 * Does the duties of an operator, of who is on call, and of a deployer, each as a user with the policy of the documents
 * alone; what on call may not do is refused. Needs an emulator that enforces IAM.
 */
export async function doDuties(
  checks: Checks,
  stage: string,
  tags: readonly string[],
  env: Environment,
): Promise<void> {
  const program = join(await pythonPrograms([AWS_CLI]), 'aws');
  const endpoint = env.AWS_ENDPOINT_URL ?? '';
  const aws = async (as: Environment, ...args: readonly string[]): Promise<string> => {
    const all = ['--endpoint-url', endpoint, '--output', 'json', ...args];
    const { status, output, errors } = await run(program, all, { env: as });
    if (status !== 0) throw new Error(errors);
    return output;
  };

  const stack = `SupportService-${stage}`;
  const described = stacks.parse(
    JSON.parse(await aws(env, 'cloudformation', 'describe-stacks', '--stack-name', stack)),
  );
  const outputs = Object.fromEntries(
    described.Stacks[0].Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]),
  );
  const { TableName = '', DeadLetterUrl = '', TopicsLogGroup = '' } = outputs;
  const table = ['--table', TableName, '--endpoint', endpoint];
  const looks: readonly (readonly string[])[] = [
    ['logs', 'filter-log-events', '--log-group-name', TopicsLogGroup],
    ['sqs', 'receive-message', '--queue-url', DeadLetterUrl],
    ['cloudformation', 'describe-stacks', '--stack-name', stack],
    ['cloudwatch', 'describe-alarms'],
    ['events', 'list-rules'],
  ];

  const user = async (name: string, policy: string): Promise<Environment> => {
    await aws(env, 'iam', 'create-user', '--user-name', name);
    const { Version, Statement } = JSON.parse(policy);
    const document = JSON.stringify({ Version, Statement: [...Statement, ON_ALL] });
    await aws(
      env,
      ...['iam', 'put-user-policy', '--user-name', name, '--policy-name', 'duties', '--policy-document', document],
    );
    const made = accessKey.parse(JSON.parse(await aws(env, 'iam', 'create-access-key', '--user-name', name)));
    const { AccessKeyId, SecretAccessKey } = made.AccessKey;
    return { ...env, AWS_ACCESS_KEY_ID: AccessKeyId, AWS_SECRET_ACCESS_KEY: SecretAccessKey };
  };

  const values = { ...outputs, stage, region: env.AWS_REGION ?? '', account: ACCOUNT };
  const [operator = '', onCall = ''] = await policiesOf('operations.md', values);
  for (const [who, policy] of [
    ['operator', operator],
    ['on-call', onCall],
  ] as const) {
    const as = await checks.step(`${who}: a user with this policy`, () => user(`${who}-${stage}`, policy));
    if (as === undefined) continue;
    for (const look of looks) await checks.step(`${who}: aws ${look.slice(0, 2).join(' ')}`, () => aws(as, ...look));
    await checks.step(`${who}: support doctor`, async () => {
      const said = await mustRun('npx', ['support', 'doctor', ...table], { env: as });
      if (said.includes('cannot be looked at')) throw new Error(said);
    });
    await checks.step(`${who}: support site add`, async () => {
      const { status, output, errors } = await run('npx', ['support', 'site', 'add', `of-${who}`, ...table], {
        env: as,
      });
      const asExpected = who === 'operator' ? status === 0 : status !== 0 && /dynamodb:/.test(output + errors);
      if (!asExpected) throw new Error(output + errors);
    });
  }

  const [deployer = ''] = await policiesOf('delivery.md', values);
  await checks.step('deployer: another setting', async () =>
    deploy(await user(`deployer-${stage}`, deployer), stage, tags),
  );
}

/** Deploys with another setting, by the CDK, which takes away the tags that a deploy does not name. */
async function deploy(as: Environment, stage: string, tags: readonly string[]): Promise<void> {
  const change = [...tags, '-c', `stage=${stage}`, '-c', 'importConcurrency=3'];
  await mustRun('npx', ['cdk', 'deploy', '--require-approval', 'never', ...change], { env: { ...as, ...CDK_ENV } });
}
