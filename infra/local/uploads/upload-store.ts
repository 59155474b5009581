import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describeError, type Log } from '../../../lib/log.ts';
import type { Table } from '../../../lib/store/table.ts';
import { endTurn, type UploadTurn } from '../../../lib/uploads/turn.ts';
import type { Work } from '../../../lib/uploads/upload.ts';
import type { UploadStore } from '../../../lib/uploads/upload-store.ts';
import { projectPath } from '../../project.ts';
import { type PlaceOptions, placeArguments } from '../table/place.ts';
import { dropFile, keepFile, readRejected, sweepFiles, uploadPath } from './files.ts';

const PROGRAM = projectPath('bin/support.js');
const LAST_MOMENT = 1_000; // ms for working processes when the service ends; the whole clean stop takes at most 2 s

/** The table, the folder of the files, and what the processes of imports need. */
export interface UploadStoreOptions {
  readonly table: Table;
  readonly folder: string; // of the files
  readonly log: Log;
  readonly options: PlaceOptions; // the table for the processes
}

/**
 * The store of a service on this machine: files in its data folder, and a process for each work, so that requests do
 * not wait.
 */
export function openUploadStore({ table, folder, log, options }: UploadStoreOptions): UploadStore & {
  /** Ends the processes; their imports become interrupted. */
  close(): Promise<void>;
} {
  const working = new Set<Promise<void>>();
  const children = new Set<ChildProcess>();
  let isClosed = false;
  sweepFiles(folder, Date.now()).catch((error: unknown) => log('warn', 'old files not deleted', describeError(error)));

  async function work(turn: UploadTurn, kind: Work): Promise<void> {
    if (isClosed) return endTurn({ table, clock: Date.now }, turn); // during a shutdown: the import becomes interrupted
    const { site, id, owner } = turn;
    const what = ['--site', site, '--id', String(id), '--work', kind, '--owner', owner];
    const child = spawn(process.execPath, [PROGRAM, 'work-on-import', ...what, ...placeArguments(options)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    children.add(child);
    try {
      await once(child, 'exit');
    } finally {
      children.delete(child);
      await endTurn({ table, clock: Date.now }, turn); // if the process was killed and could not
    }
  }

  return {
    arrival: {
      receive: async (file, bytes) => {
        await sweepFiles(folder, Date.now());
        return keepFile(uploadPath(folder, file), bytes);
      },
    },
    start: async (turn, kind) => {
      const done = work(turn, kind)
        .catch((error: unknown) => log('error', 'import not worked on', describeError(error)))
        .finally(() => working.delete(done));
      working.add(done);
    },
    readRejected: (file) => readRejected(uploadPath(folder, file)),
    drop: (file) => dropFile(uploadPath(folder, file)),
    close: async () => {
      isClosed = true;
      for (const child of children) child.kill('SIGTERM');
      const late = setTimeout(() => {
        for (const child of children) child.kill('SIGKILL');
      }, LAST_MOMENT);
      await Promise.all(working);
      clearTimeout(late);
    },
  };
}
