import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { mustRun } from './command.ts';

const outputs = z.object({
  TableName: z.string(),
  BaseUrl: z.string(),
  QueueUrl: z.string(),
  DeadLetterUrl: z.string(),
  CompactFunction: z.string(),
  FileBucket: z.string(),
});

/** What a deploy put out. */
export type Outputs = z.infer<typeof outputs>;

/** Steps of imports so short that a file of some megabytes takes several. */
const CONTEXT = ['-c', 'stage=dev', '-c', 'importStepSeconds=1'] as const;
const STACK = 'SupportService-dev';
const QUIET = { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true', CI: 'true' };

/** The CDK's command line on the stack of the stage `dev`. */
export function cdk(env: Readonly<Record<string, string>>) {
  const call = (...args: readonly string[]) =>
    mustRun('npx', ['cdk', ...args, ...CONTEXT], { env: { ...env, ...QUIET } });
  return {
    bootstrap: () => call('bootstrap'),

    /** Deploys; tells what was put out, and whether anything had changed. */
    async deploy(): Promise<{ readonly outputs: Outputs; readonly changed: boolean }> {
      const folder = await mkdtemp(join(tmpdir(), 'deploy-'));
      const file = join(folder, 'outputs.json');
      try {
        const said = await call('deploy', '--require-approval', 'never', '--outputs-file', file);
        const all = z.record(z.string(), outputs.loose()).parse(JSON.parse(await readFile(file, 'utf8')));
        return { outputs: outputs.parse(all[STACK]), changed: !said.includes('(no changes)') };
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },

    destroy: () => call('destroy', '--force'),
  };
}
