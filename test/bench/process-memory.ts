import { readdirSync, readFileSync } from 'node:fs';

/** The peak memory of a process so far, in bytes; 0 if the process has ended or the system is not Linux. */
export const peakMemoryOf = (pid: number | undefined): number => statusOf(pid, 'VmHWM');

/** The bytes of a process's memory that are pages of files (program, table), which the system can reclaim. */
export const fileMemoryOf = (pid: number | undefined): number => statusOf(pid, 'RssFile');

/** The bytes of a process's memory now that are no pages of files. */
export const ownMemoryOf = (pid: number | undefined): number => statusOf(pid, 'RssAnon');

function statusOf(pid: number | undefined, name: string): number {
  try {
    return 1024 * Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** The processor time of all threads of a process that still run, in µs; NaN if the system is not Linux. */
export function processorTimeOf(pid: number | undefined): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const spent = threads.map((id) => Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]));
    return spent.reduce((sum, nanoseconds) => sum + nanoseconds / 1000, 0);
  } catch {
    return Number.NaN;
  }
}
