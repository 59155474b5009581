import { readFileSync } from 'node:fs';

/** The most memory a process has held so far, in bytes; 0 where it is gone. Linux alone tells. */
export function peakMemoryOf(pid: number | undefined): number {
  try {
    return 1024 * Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
