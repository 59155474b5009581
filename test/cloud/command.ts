import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface Ran {
  readonly status: number; // -1: ended by a signal or by the time limit
  readonly output: string; // standard output
  readonly errors: string; // standard error
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly within?: number; // ms
  readonly cwd?: string; // the project's folder by default
}

/** Runs a command to its end, or to its time limit. */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { env = {}, input = '', within = 10 * 60_000, cwd = ROOT } = options;
  return new Promise((resolve, reject) => {
    const silent = { npm_config_update_notifier: 'false' }; // else npx tells of a newer npm once a day
    const child = spawn(command, args, { cwd, env: { ...process.env, ...silent, ...env }, timeout: within });
    let [output, errors] = ['', ''];
    child.stdout.on('data', (data: Buffer) => (output += data.toString()));
    child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
    child.on('error', reject);
    child.on('close', (status) => resolve({ status: status ?? -1, output, errors }));
    child.stdin.end(input);
  });
}

/** Runs a command that must do its work; throws with the end of what it said where it does not. */
export async function mustRun(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { status, output, errors } = await run(command, args, options);
  if (status === 0) return output + errors;
  const said = `${output}\n${errors}`.trim().split('\n').slice(-25).join('\n');
  throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${said}`);
}

/** The JSON that a command printed first, before what it said meanwhile. */
export const jsonOf = (said: string) => JSON.parse(said.slice(0, said.lastIndexOf('}') + 1));
