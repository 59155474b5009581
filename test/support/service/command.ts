import { runCommand } from '../../../infra/cli/support.ts';
import type { Ran } from './program.ts';

/**
 * Runs a command in this process, for tests that do not depend on a process of its own: `run` of `program.ts` starts
 * one, which takes 0.3 s of processor time. Only one command may run at a time, because everything printed meanwhile
 * counts as its output.
 */
export async function command(args: readonly string[]): Promise<Ran> {
  const out = listenTo(process.stdout);
  const err = listenTo(process.stderr);
  try {
    const status = await runCommand(args);
    return { status, out: out.said(), err: err.said() };
  } finally {
    out.stop();
    err.stop();
    process.exitCode = undefined; // it would become the exit code of the tests
  }
}

/** Records the text written to a stream instead of writing it. */
function listenTo(stream: NodeJS.WriteStream): { readonly said: () => string; readonly stop: () => void } {
  const { write } = stream;
  const listeners = stream.listeners('error');
  const parts: string[] = [];
  stream.write = ((part: string | Uint8Array, ...rest: unknown[]) => {
    parts.push(typeof part === 'string' ? part : Buffer.from(part).toString('utf8'));
    for (const done of rest) if (typeof done === 'function') done();
    return true;
  }) as typeof write;
  return {
    said: () => parts.join(''),
    stop: () => {
      stream.write = write;
      for (const one of stream.listeners('error')) if (!listeners.includes(one)) stream.off('error', one as () => void);
    },
  };
}
