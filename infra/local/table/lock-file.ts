import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openGate } from './database.ts';
import { isRunning, markIn, processMark } from './processes.ts';

const LONGEST_HOLD = 20_000; // ms; see `isDead`
const STEP = 15; // ms

/**
 * Does `work` while holding a lock file, one process at a time. The lock of a process that died is taken over. The file
 * changes only within the folder's gate: else of two that found the same dead lock, the second removed the new lock of
 * the first.
 */
export async function withLockFile<T>(file: string, work: () => Promise<T>): Promise<T> {
  const text = JSON.stringify({ ...(await processMark(process.pid)), token: randomUUID() });
  const gate = openGate(dirname(file));
  try {
    while (!gate.alone(() => replace(file, undefined, text))) {
      const other = read(file);
      if (other === undefined) continue;
      if ((await isDead(file, other)) && gate.alone(() => replace(file, other, text))) break;
      await sleep(STEP);
    }
    try {
      return await work();
    } finally {
      gate.alone(() => read(file) === text && rmSync(file));
    }
  } finally {
    await gate.close();
  }
}

/** Writes the lock, if the file is still as found; undefined: missing. Returns whether it did. */
function replace(file: string, before: string | undefined, text: string): boolean {
  if (read(file) !== before) return false;
  writeFileSync(file, text, { mode: 0o600 });
  return true;
}

/**
 * Whether the process that wrote a lock is gone. Half a text is of a process that died while it wrote, or that writes
 * now, which `replace` sees. Where the system does not tell when a process began, its number may be another's by now, so
 * there a lock is dead after the longest hold.
 */
async function isDead(file: string, text: string): Promise<boolean> {
  const holder = markIn(text);
  if (holder === undefined || !(await isRunning(holder))) return true;
  return holder.born === '' && Date.now() - (await stat(file).then(({ mtimeMs }) => mtimeMs, Date.now)) > LONGEST_HOLD;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
