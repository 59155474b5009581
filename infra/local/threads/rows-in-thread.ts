import { on, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { ImportFault } from '../../../lib/import/formats/import-fault.ts';
import { unpackRows } from '../../../lib/import/formats/packed-rows.ts';
import type { Batch } from '../../../lib/import/formats/row.ts';
import type { CheckSummary } from '../../../lib/import/formats/zendesk/check.ts';
import type { ReadNotes, ReadTask, RowsReading } from '../../../lib/import/read-task.ts';
import { projectPath } from '../../project.ts';
import type { FromRowsThread, RowsState, ToRowsThread } from './rows-messages.ts';

/** Starts this folder's program as a thread, from its bundle where there is one. */
const THREAD = projectPath('bin/thread.js');
const PROGRAM = 'infra/local/threads/rows-thread.ts';

const LAST_MOMENT = 2_000; // ms

/**
 * The same as `readHere`, but rows are cut and made into records in a thread of their own while those before are spread or
 * stored; the text of most stays behind. The thread starts with the first batch that is asked for, and ends with the last
 * or when no more are.
 */
export function readInThread(task: ReadTask, { places, findings, eventsOf }: ReadNotes): RowsReading {
  let state: RowsState = { position: 0, counted: undefined };
  let check: CheckSummary | undefined;
  return { batches: batches(), rows: () => state.counted, position: () => state.position, check: () => check };

  async function* batches(): AsyncGenerator<Batch> {
    const worker = new Worker(THREAD, { argv: [PROGRAM], workerData: task, execArgv: [] });
    const tell = (what: ToRowsThread): void => worker.postMessage(what);
    try {
      for await (const [message] of on(worker, 'message', { close: ['exit'] })) {
        const said: FromRowsThread = message;
        state = said;
        places.follow(said.begun);
        if ('isDone' in said) {
          findings.absorb(said.findings);
          check = said.check;
          return;
        }
        if ('fault' in said) throw new ImportFault(said.fault);
        if ('asked' in said) {
          tell(await eventsOf(said.asked));
          continue;
        }
        yield batchOf(said);
        tell(said.count);
      }
      throw new Error('the thread that reads the file ended');
    } finally {
      await end(worker);
    }
  }
}

/** Lets the thread put away what it has open, a file that is about to lose its name for one; but not for long. */
async function end(worker: Worker): Promise<void> {
  worker.postMessage('end' satisfies ToRowsThread);
  if (worker.threadId >= 0) {
    const gone = once(worker, 'exit').catch(() => undefined); // what it fails of now nobody waits for
    await Promise.race([gone, sleep(LAST_MOMENT, undefined, { ref: false })]);
  }
  await worker.terminate();
}

function batchOf(said: Extract<FromRowsThread, { count: number }>): Batch {
  if ('rows' in said) return said.rows;
  const rows = unpackRows(said.packed);
  if (!said.isWhole) return rows;
  const { digests, known, last } = said;
  return {
    cases: rows,
    ...(digests === undefined ? {} : { digests }),
    ...(known === undefined ? {} : { known }),
    ...(last === undefined ? {} : { last }),
  };
}
