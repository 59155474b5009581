import { mkdtemp, rm } from 'node:fs/promises';
import { DeleteParameterCommand, GetParameterCommand, PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { projectPath } from '../../infra/project.ts';
import type { AwsOptions } from './aws.ts';
import type { Checks } from './checks.ts';
import { mustRun } from './command.ts';
import type { Tools } from './deployment.ts';

/** Beside `cdk.out`: source maps name sources by the way to them, so bundles made elsewhere would be a change. */
const ASSEMBLY = projectPath('cdk.out-');

/**
 * What a stage was deployed with stays (docs/deploy.md): without context, with one value, after a value is dropped, and
 * where the parameter that remembers it was changed or deleted by hand. `tools` deployed it with a warehouse.
 */
export async function rememberSettings(
  checks: Checks,
  stage: string,
  {
    tools,
    aws,
    env,
  }: { readonly tools: Tools; readonly aws: AwsOptions; readonly env: Readonly<Record<string, string>> },
): Promise<void> {
  const client = new SSMClient(aws);
  const Name = `/support-service/${stage}/settings`;
  const stored = async () => (await client.send(new GetParameterCommand({ Name }))).Parameter?.Value ?? '';
  const put = (Value: string) => client.send(new PutParameterCommand({ Name, Value, Type: 'String', Overwrite: true }));
  const refused = async (sentence: string, deploy: () => Promise<unknown>): Promise<string> => {
    const said = await deploy().then(
      () => 'nothing',
      (error: unknown) => String(error),
    );
    if (!said.includes(sentence)) throw new Error(`refused with: ${said}`);
    return said;
  };

  await checks.step('a deploy with one setting keeps all others, and one is dropped by none', async () => {
    const { outputs } = await tools.deploy('-c', 'importConcurrency=3');
    if (outputs.WarehouseBucket === undefined) throw new Error('the warehouse is gone');
    const again = await tools.deploy('-c', 'importConcurrency=none');
    if (again.outputs.WarehouseBucket !== outputs.WarehouseBucket) throw new Error('the warehouse is another');
    if ((await stored()).includes('importConcurrency')) throw new Error(await stored());
  });
  await checks.step('a deploy is refused once another one has changed the settings', async () => {
    const folder = await mkdtemp(ASSEMBLY);
    try {
      const before = await stored();
      await tools.synth(folder);
      await put(before.replace('"settings":{', '"settings":{"tracing":"off",'));
      await refused('Another deploy has changed the settings', () => tools.deployFrom(folder));
      await put(before);
      await tools.deployFrom(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
  await checks.step(
    'settings of another stage, and a parameter that was deleted, refuse a deploy with the way back',
    async () => {
      const before = await stored();
      await put(before.replace(stage, 'another'));
      await refused('holds the settings of the stage another', () => tools.deploy());
      await client.send(new DeleteParameterCommand({ Name }));
      const said = await refused('was deleted. Put it back', () => tools.deploy());
      const [, text = ''] = /--type String --value '([^']*)'/.exec(said) ?? [];
      await put(text);
      if ((await stored()) !== before) throw new Error(`${before} became ${text}`);
      const { changed } = await tools.deploy();
      if (changed) throw new Error('the CDK found changes');
    },
  );
  await checks.step('without the right to read the settings nothing is changed', async () => {
    const unread = { ...env, AWS_ENDPOINT_URL_SSM: 'http://127.0.0.1:9' };
    const folder = await mkdtemp(ASSEMBLY);
    try {
      const args = ['cdk', 'synth', '--quiet', '--output', folder, '-c', `stage=${stage}`];
      await mustRun('npx', args, { env: unread });
      await refused('could not be read, and this deploy would change it', () => tools.deployFrom(folder));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}
