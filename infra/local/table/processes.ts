import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import * as z from 'zod';

/** The identity of a process, which no later process with the same number shares. */
export interface ProcessMark {
  readonly pid: number;
  readonly born: string; // start time in the system's own form; '' if unknown
}

/** Reads a mark from a file's text, which may hold more; undefined if it holds no complete mark. */
export function markIn(text: string): (ProcessMark & { readonly host?: string | undefined }) | undefined {
  try {
    return writtenSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

const writtenSchema = z.object({ pid: z.number(), born: z.string(), host: z.string().optional() });

const STATE = 0; // indices of the fields after the name in /proc/<pid>/stat (proc_pid_stat(5))
const START_TIME = 19;

export async function processMark(pid: number): Promise<ProcessMark> {
  return { pid, born: (await statOf(pid))?.[START_TIME] ?? '' };
}

/** A text that tells this process from all others, of other machines too. */
export const ownMark = async (): Promise<string> =>
  JSON.stringify({ ...(await processMark(process.pid)), host: hostname() });

/** Whether the process of a mark's text may still run; one of another machine counts as running. */
export const mayRun = async (mark: NonNullable<ReturnType<typeof markIn>>): Promise<boolean> =>
  mark.host !== hostname() || isRunning(mark);

/** Whether exactly this process still runs. */
export async function isRunning({ pid, born }: ProcessMark): Promise<boolean> {
  if (!exists(pid)) return false;
  const stat = await statOf(pid);
  if (stat === undefined) return true; // no /proc here, or the process has just ended, which the next check sees
  return stat[STATE] !== 'Z' && (born === '' || stat[START_TIME] === born);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** The fields after the name in /proc/<pid>/stat; the name itself may contain spaces and brackets. */
async function statOf(pid: number): Promise<string[] | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** What is said of a child process that did not end with 0: its exit code is null if it was killed. */
export const whyFailed = (code: number | null): string =>
  code === null ? 'its process was killed' : `it ended with ${code}`;
