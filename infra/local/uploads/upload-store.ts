import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describeError, type Log } from '../../../lib/log.ts';
import type { Table } from '../../../lib/store/table.ts';
import { isStranded } from '../../../lib/uploads/arrival.ts';
import { endTurn, handOver, type UploadTurn } from '../../../lib/uploads/turn.ts';
import { putUpload, readUpload, TurnLost, type Work } from '../../../lib/uploads/upload.ts';
import type { UploadStore } from '../../../lib/uploads/upload-store.ts';
import { projectPath } from '../../project.ts';
import { type PlaceOptions, placeArguments } from '../table/place.ts';
import { dropFile, keepFile, readRejected, sweepFiles, uploadPath } from './files.ts';
import { holders } from './holders.ts';
import { createRemovals } from './removals.ts';

const PROGRAM = projectPath('bin/support.js');
const LAST_MOMENT = 1_000; // ms for working processes when the service ends; the whole clean stop takes at most 2 s

const DIED =
  'The process that worked on the import died, perhaps because it needed more memory than it may take. Load it again; if it dies again, import the file by the command line.';

/** Tells people that the process of a work died before it could say why. */
async function noteDeath(table: Table, turn: UploadTurn): Promise<void> {
  const upload = await readUpload(table, turn.site, turn.id);
  if (upload?.status !== 'working') return;
  await putUpload(table, turn, { ...upload, problem: DIED }).catch((error: unknown) => {
    if (!(error instanceof TurnLost)) throw error; // somebody has begun the next work meanwhile
  });
}

/** The table, the folder of the files, and what the processes of imports need. */
export interface UploadStoreOptions {
  readonly table: Table;
  readonly folder: string; // of the files
  readonly log: Log;
  readonly options: PlaceOptions; // the table for the processes
  readonly heap: number; // MB of a process at most
}

/**
 * The store of a service on this machine: files in its data folder, and a process for each work, so that requests do
 * not wait.
 */
export function openUploadStore({ table, folder, log, options, heap }: UploadStoreOptions): UploadStore & {
  /** Ends the processes; their imports become interrupted. */
  close(): Promise<void>;
} {
  const working = new Set<Promise<void>>();
  const children = new Set<ChildProcess>();
  let isClosed = false;

  const sweep = (): Promise<void> =>
    sweepFiles(folder, Date.now(), async (site, id) => {
      const upload = await readUpload(table, site, id);
      return upload?.status === 'arriving' && !(await isStranded(upload, Date.now(), holders));
    });

  sweep().catch((error: unknown) => log('warn', 'old files not deleted', describeError(error)));

  async function work(turn: UploadTurn, kind: Work): Promise<void> {
    const context = { table, clock: Date.now };
    if (isClosed) return endTurn(context, turn); // during a shutdown: the import becomes interrupted
    const { site, id, owner } = turn;
    try {
      await handOver(context, turn); // a busy machine may need longer than a turn lasts to start the process
      const what = ['--site', site, '--id', String(id), '--work', kind, '--owner', owner];
      const code = await run('work-on-import', what);
      if (code !== 0 && !isClosed) await noteDeath(table, turn);
    } finally {
      await endTurn(context, turn); // if the process was killed and could not
    }
  }

  /** Runs a command in a process of its own; returns its exit code, null if it was killed. */
  async function run(command: string, args: readonly string[]): Promise<number | null> {
    const program = [`--max-old-space-size=${heap}`, PROGRAM, command, ...args, ...placeArguments(options)];
    const child = spawn(process.execPath, program, { stdio: ['ignore', 'ignore', 'inherit'] });
    children.add(child);
    try {
      const [code] = await once(child, 'exit');
      return code;
    } finally {
      children.delete(child);
    }
  }

  /** Lets work go on beside requests. */
  function begin(what: string, works: Promise<unknown>): void {
    const done: Promise<void> = works
      .then(() => undefined)
      .catch((error: unknown) => log('error', what, describeError(error)))
      .finally(() => working.delete(done));
    working.add(done);
  }

  const removals = createRemovals({ table, log, run, isOver: () => isClosed });
  begin('removals not resumed', removals.resume());

  return {
    holders,
    arrival: {
      receive: async (file, bytes, largest) => {
        await sweep();
        return keepFile(uploadPath(folder, file), bytes, largest);
      },
    },
    start: async (turn, kind) => begin('import not worked on', work(turn, kind)),
    removeSource: async (removal) => begin('source not removed', removals.remove(removal)),
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
