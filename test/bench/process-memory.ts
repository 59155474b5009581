import { readFileSync } from 'node:fs';

/** The most memory a process has held so far, in bytes; 0 where it is gone. Linux alone tells. */
export const peakMemoryOf = (pid: number | undefined): number => statusOf(pid, 'VmHWM');

/** How much of a process's memory are pages of files, its program and its table, in bytes: the system takes them back at will. */
export const fileMemoryOf = (pid: number | undefined): number => statusOf(pid, 'RssFile');

function statusOf(pid: number | undefined, name: string): number {
  try {
    return 1024 * Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
