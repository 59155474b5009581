import { readFileSync } from 'node:fs';

/** The peak memory of a process so far, in bytes; 0 if the process has ended or the system is not Linux. */
export const peakMemoryOf = (pid: number | undefined): number => statusOf(pid, 'VmHWM');

/** The bytes of a process's memory that are pages of files (program, table), which the system can reclaim. */
export const fileMemoryOf = (pid: number | undefined): number => statusOf(pid, 'RssFile');

function statusOf(pid: number | undefined, name: string): number {
  try {
    return 1024 * Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
