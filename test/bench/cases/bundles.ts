import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../../../infra/bundle.ts';
import { FUNCTIONS } from '../../../infra/stack/functions.ts';
import { median, print } from '../figures.ts';
import { checkFigures } from './page.ts';

const STARTS = 9;

/** Compares size and import time of each function's bundle with a bundle of the bare SDK client. */
export async function bench(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'bundles-'));
  try {
    const entry = join(folder, 'bare.ts');
    writeFileSync(
      entry,
      "export { DynamoDBClient } from '@aws-sdk/client-dynamodb';\nexport { DynamoDBDocumentClient, BatchGetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';\n",
    );
    const names = readdirSync('functions').filter((name) => Object.hasOwn(FUNCTIONS, name.replace('.ts', '')));
    const bare = join(folder, 'bare.mjs');
    await bundle(entry, bare, {});
    const files = names.map((name) => [name.replace('.ts', ''), join(folder, name.replace('.ts', '.mjs'))] as const);
    for (const [name, file] of files) await bundle(`functions/${name}.ts`, file);
    const times = importTimes([bare, ...files.map(([, file]) => file)]);
    const [bareTime = 1, ...ours] = times;
    const bareSize = statSync(bare).size;
    print(`bare SDK client: ${kib(bareSize)} KiB, import ${bareTime.toFixed(0)} ms`);
    const worst = { size: 0, time: 0 };
    for (const [place, [name, file]] of files.entries()) {
      const size = statSync(file).size / bareSize;
      const time = (ours[place] ?? 0) / bareTime;
      worst.size = Math.max(worst.size, size);
      worst.time = Math.max(worst.time, time);
      print(
        `${name}: ${kib(statSync(file).size)} KiB (${size.toFixed(2)}x), import ${ours[place]?.toFixed(0)} ms (${time.toFixed(2)}x)`,
      );
    }
    const figures = files.map(([name, file]) => {
      return {
        what: name,
        told: new RegExp(`^\\| ${name} \\| ([\\d,]+) KiB \\|`, 'm'),
        is: statSync(file).size / 1024,
      };
    });
    checkFigures(readFileSync('docs/cost.md', 'utf8'), figures);
    return `at most ${worst.size.toFixed(2)}x in size and ${worst.time.toFixed(2)}x in import time (targets 1.5x)`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const kib = (bytes: number): string => (bytes / 1024).toFixed(0);

/** The median ms to import each module in a new process; the modules take turns. */
function importTimes(files: readonly string[]): number[] {
  const figures = files.map((): number[] => []);
  const program = 'const t=performance.now();await import(process.argv[1]);console.log(performance.now()-t)';
  const env = { ...process.env, TABLE_NAME: 'bench', AWS_REGION: 'local' };
  for (let start = 0; start < STARTS; start += 1) {
    for (const [place, file] of files.entries()) {
      const out = execFileSync(process.execPath, ['--input-type=module', '-e', program, file], {
        env,
        encoding: 'utf8',
      });
      figures[place]?.push(Number(out));
    }
  }
  return figures.map(median);
}
