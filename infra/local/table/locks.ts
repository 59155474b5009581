import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isLock } from '../../../lib/store/keys.ts';
import { type Database, openDatabase } from './database.ts';

/** The databases of a table. */
export interface TableFiles {
  readonly items: Database;
  readonly locks: Database; // of partitions that `isLock` names; the same as `items` if there is no second file
}

/** The database of a partition. */
export const fileOf = ({ items, locks }: TableFiles, pk: string): Database => (isLock(pk) ? locks : items);

/** Each database once. */
export const filesOf = ({ items, locks }: TableFiles): readonly Database[] =>
  items === locks ? [items] : [items, locks];

const NAME = /^locks-[0-9a-f-]{36}\.mdb/; // with LMDB's own lock beside it
const GATE = 'locks-gate.mdb'; // with the table's a lock takes 2.5 ms instead of 0.3 while another process writes
const MAP = 2 ** 26; // bytes

/**
 * Opens the database of a folder's locks. It is never synced, because a site's lock is written twice for each report, and
 * each sync takes 0.5 ms, or 8 on a busy disk (docs/performance.md). What a killed process has committed stays in the
 * system's memory. After a loss of power the file may be damaged, so each run of the system has its own file, and those of
 * earlier runs are deleted. Returns undefined if the system does not tell its runs apart.
 */
export function openLocks(folder: string): Database | undefined {
  const run = systemRun();
  if (run === undefined) return undefined;
  const name = `locks-${run}.mdb`;
  const earlier = readdirSync(folder).filter((other) => NAME.test(other) && !other.startsWith(name));
  for (const other of earlier) rmSync(join(folder, other), { force: true });
  return openDatabase(join(folder, name), { mapSize: MAP, gate: GATE, noSync: true });
}

/** The id of this run of the system, which lasts as long as its memory of files; undefined if the system has none. */
function systemRun(): string | undefined {
  const [id] = /^[0-9a-f-]{36}$/im.exec(bootId()) ?? [];
  return id?.toLowerCase();
}

function bootId(): string {
  try {
    if (process.platform === 'darwin')
      return execFileSync('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8' });
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
  } catch {
    return '';
  }
}
