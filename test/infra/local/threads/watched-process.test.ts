import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { projectPath } from '../../../../infra/project.ts';

const { NODE_OPTIONS: _, ...env } = process.env;
const FLAGS = ['--import', 'tsx', '--input-type=module', '-e'];

const program = (work: string): string[] => [
  ...FLAGS,
  `import { watchProcess } from '${projectPath('infra/local/threads/watched-process.ts')}'; watchProcess(1_000); ${work}`,
];

/** Runs a program whose main thread is watched; returns its process. */
const start = (work: string) => spawn(process.execPath, program(work), { env, stdio: ['ignore', 'pipe', 'inherit'] });

describe('a watched process', () => {
  it('is killed once its main thread does not stop, whatever signals it ignores', async () => {
    const child = start(`process.on('SIGTERM', () => undefined); setTimeout(() => { for (;;); }, 100);`);
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  });

  it('ends by itself when its work is done, and may work on as long as it takes turns', async () => {
    const child = start(
      `let turns = 0; const timer = setInterval(() => { if (++turns === 30) clearInterval(timer); }, 100);`,
    );
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('does not outlive its parent', async () => {
    const inner = JSON.stringify(program(`console.log('at work'); setInterval(() => undefined, 100);`));
    const parent = start(
      `import { spawn } from 'node:child_process'; spawn(process.execPath, ${inner}, { stdio: 'inherit' });
       setInterval(() => undefined, 100);`,
    );
    const [said] = await once(parent.stdout, 'data');
    parent.kill('SIGKILL');
    await once(parent.stdout, 'close'); // when the last process that holds the pipe is gone
    expect(String(said)).toBe('at work\n');
  });
});
