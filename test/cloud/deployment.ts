import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { type AwsOptions, emptyBucket, findStack } from './aws.ts';
import { mustRun } from './command.ts';

const outputs = z.object({
  TableName: z.string(),
  BaseUrl: z.string(),
  QueueUrl: z.string(),
  DeadLetterUrl: z.string(),
  CompactFunction: z.string(),
  FileBucket: z.string(),
  OAuthSecretName: z.string(),
  WarehouseBucket: z.string().optional(), // of a stage with a warehouse
  DeliverFunction: z.string().optional(), // of a stage with mails
});

/** What a deploy put out. */
export type Outputs = z.infer<typeof outputs>;

/** A stage to deploy, and how. */
export interface Stage {
  readonly name: string;
  readonly tag: string; // of the stack; tells whose it is
  readonly context: Readonly<Record<string, string>>; // beside the stage
  readonly env: Readonly<Record<string, string>>;
  readonly aws: AwsOptions;
}

export type Tools = ReturnType<typeof cdk>;

const TAG = 'test-run';
const TOOLKIT = 'CDKToolkit';

/**
 * The environment of each `cdk`. Its own rules take three quarters of the processor time of a synthesis: they look at
 * the template of a stage with everything (linting.ts), and not again at each deploy.
 */
export const CDK_ENV = {
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  CI: 'true',
  CDK_VALIDATION: 'false',
};

/** The CDK's command line on the stack of a stage. It takes over no stack and destroys only what bears its own tag. */
export function cdk({ name, tag, context, env, aws }: Stage) {
  const stack = `SupportService-${name}`;
  const tags = ['--tags', `${TAG}=${tag}`];
  const options = (values: Readonly<Record<string, string>>) =>
    Object.entries(values).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  /** Runs the CDK; from the first deploy on, the stage remembers its context. */
  const call = async (...args: readonly string[]) => {
    const values = { stage: name, ...((await own()) ? {} : context) };
    return mustRun('npx', ['cdk', ...args, ...options(values)], { env: { ...env, ...CDK_ENV } });
  };

  /** The stack, if it is there; throws if somebody else made it. */
  async function own(): Promise<boolean> {
    const found = await findStack(aws, stack);
    if (found === undefined) return false;
    if (found.Tags?.some(({ Key, Value }) => Key === TAG && Value === tag)) return true;
    throw new Error(`${stack} was not made by this test: it stays as it is.`);
  }

  return {
    stack,
    tags, // the options of a deploy that keep the stack this test's

    /** Prepares an account that is not prepared yet. */
    async bootstrap(): Promise<void> {
      if ((await findStack(aws, TOOLKIT)) === undefined) await call('bootstrap');
    },

    /** Deploys; tells what was put out, and whether anything had changed. */
    async deploy(
      ...more: readonly string[]
    ): Promise<{ readonly outputs: Outputs; readonly changed: boolean; readonly said: string }> {
      const folder = await mkdtemp(join(tmpdir(), 'deploy-'));
      const file = join(folder, 'outputs.json');
      try {
        const said = await call('deploy', '--require-approval', 'never', '--outputs-file', file, ...tags, ...more);
        const all = z.record(z.string(), outputs.loose()).parse(JSON.parse(await readFile(file, 'utf8')));
        return { outputs: outputs.parse(all[stack]), changed: !said.includes('(no changes)'), said };
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },

    /** Writes what a deploy would bring into a folder. */
    synth: (folder: string) => call('synth', '--quiet', '--output', folder),

    /** Deploys what is in such a folder. */
    deployFrom: (folder: string) => call('deploy', '--require-approval', 'never', '--app', folder, ...tags),

    /** Destroys the stack with its files, if it is there. */
    async destroy(): Promise<void> {
      if (!(await own())) return;
      const { Outputs: found = [] } = (await findStack(aws, stack)) ?? {};
      for (const { OutputKey = '', OutputValue } of found)
        if (/^(File|Warehouse)Bucket$/.test(OutputKey) && OutputValue !== undefined)
          await emptyBucket(aws, OutputValue);
      await call('destroy', '--force');
      if (await own()) throw new Error(`${stack} is still there`);
    },
  };
}
