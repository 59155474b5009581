import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ImportFault } from '../../../lib/import/formats/import-fault.ts';
import { unpackRows } from '../../../lib/import/formats/packed-rows.ts';
import type { Batch } from '../../../lib/import/formats/row.ts';
import type { ReadNotes, ReadTask, RowsReading } from '../../../lib/import/read-task.ts';
import { projectPath } from '../../project.ts';
import { endThread } from './end-thread.ts';
import type { FromRowsThread, RowsState, ToRowsThread } from './rows-messages.ts';

/** Starts the program in a thread, from its bundle if there is one. */
const THREAD = projectPath('bin/thread.js');
const PROGRAM = 'infra/local/threads/rows-thread.ts';

/** A heap that may become larger grows to four times what is in use before V8 collects; this one to twice. */
const RESOURCES = { maxOldGenerationSizeMb: 2_000 };

const LAST_MOMENT = 2_000; // ms for the thread to close its files, for instance one that is about to be deleted

/**
 * Like `readHere`, but rows are cut and turned into records in another thread while earlier ones are spilled or stored.
 * Most text stays in that thread. The thread starts when the first batch is requested, and ends after the last one or
 * when the caller stops.
 */
export function readInThread(task: ReadTask, { lineNumbers, findings, eventsOf }: ReadNotes): RowsReading {
  let state: RowsState = { position: 0, counted: undefined };
  return { batches: batches(), rows: () => state.counted, position: () => state.position };

  async function* batches(): AsyncGenerator<Batch> {
    const worker = new Worker(THREAD, { argv: [PROGRAM], workerData: task, execArgv: [], resourceLimits: RESOURCES });
    const send = (what: ToRowsThread): void => worker.postMessage(what);
    try {
      for await (const [received] of on(worker, 'message', { close: ['exit'] })) {
        const message: FromRowsThread = received;
        state = message;
        lineNumbers.follow(message.begun);
        if ('isDone' in message) {
          findings.absorb(message.findings);
          return;
        }
        if ('fault' in message) throw new ImportFault(message.fault);
        if ('asked' in message) {
          send(await eventsOf(message.asked));
          continue;
        }
        yield batchOf(message);
        send(message.count);
      }
      throw new Error('the thread that reads the file ended');
    } finally {
      await endThread(worker, LAST_MOMENT);
    }
  }
}

function batchOf(message: Extract<FromRowsThread, { count: number }>): Batch {
  if ('rows' in message) return message.rows;
  const rows = unpackRows(message.packed);
  if (!message.isWhole) return rows;
  const { digests, known: cases, changed, tells } = message;
  return { cases: rows, digests, known: cases, changed, tells };
}
