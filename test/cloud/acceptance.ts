import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Checks } from './checks.ts';
import { run } from './command.ts';

const ACCEPTANCE = ['test/api'];
const LONGEST = 40 * 60_000; // ms, on a busy machine
/** The acceptance of what is written most: all of it runs over HTTP where IAM is enforced. */
export const WRITING = ['boards', 'macros', 'records', 'session', 'topics', 'users'].map((name) => `test/api/${name}`);
export const CONTRACT = ['table', 'processes'].map((name) => `test/lib/store/contract/${name}.test.ts`);

/** What is read of a report of a test run. */
interface TestReport {
  readonly numPassedTests?: number;
  readonly numFailedTests?: number;
  readonly numPendingTests?: number;
  readonly testResults?: readonly {
    readonly assertionResults: readonly {
      readonly status: string;
      readonly ancestorTitles: readonly string[];
      readonly title: string;
    }[];
  }[];
}

/** Which files run, and how. */
interface Extent {
  readonly files?: readonly string[]; // parts of their paths
  readonly workers?: number;
  readonly shard?: string; // `1/2` for the first half of the files
}

/** Runs test files in an environment of their own, those of the acceptance by default; their tests count one by one. */
export async function acceptance(
  checks: Checks,
  title: string,
  env: Readonly<Record<string, string>>,
  { files = ACCEPTANCE, workers = 1, shard = '1/1' }: Extent = {},
): Promise<void> {
  await checks.step(title, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'acceptance-'));
    const file = join(folder, 'report.json');
    const args = [
      'test',
      '--',
      ...files,
      `--maxWorkers=${workers}`,
      `--shard=${shard}`,
      '--json',
      `--outputFile=${file}`,
    ];
    try {
      const { status, errors } = await run('npm', args, { env, within: LONGEST });
      const report: TestReport = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
      checks.passed += report.numPassedTests ?? 0;
      checks.failed += report.numFailedTests ?? 0;
      checks.skipped += report.numPendingTests ?? 0;
      for (const { assertionResults } of report.testResults ?? [])
        for (const { status: outcome, ancestorTitles, title: test } of assertionResults)
          if (outcome === 'failed') checks.failures.push(`${title}: ${[...ancestorTitles, test].join(' > ')}`);
      if (status !== 0) throw new Error(errors.split('\n').slice(-200).join('\n'));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}
