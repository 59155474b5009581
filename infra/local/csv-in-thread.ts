import { on } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { MappedCsv } from '../../lib/history/formats/mapped.ts';
import { unpackRows } from '../../lib/history/formats/packed-rows.ts';
import type { Batch } from '../../lib/history/formats/row.ts';
import { ImportFault } from '../../lib/history/import-fault.ts';
import type { CsvState, CsvThreadData, FromCsvThread, ToCsvThread } from './csv-messages.ts';
import { threadProgram } from './thread-program.ts';

const PROGRAM = fileURLToPath(new URL('./csv-thread.ts', import.meta.url));

/** A mapped CSV that is read in a thread of its own. */
export interface ThreadedCsv extends MappedCsv {
  readonly position: () => number; // bytes of the file taken so far, packed
}

/**
 * The same as `readMapped` of a file, but rows are cut and made into records in a thread of their own while those before
 * are stored. The thread starts with the first batch that is asked for, and ends with the last or when no more are.
 */
export function readMappedInThread(data: CsvThreadData): ThreadedCsv {
  let state: CsvState = { position: 0, header: undefined, counted: { read: 0, given: 0 } };
  return {
    batches: batches(),
    header: () => state.header,
    rows: () => state.counted,
    position: () => state.position,
  };

  async function* batches(): AsyncGenerator<Batch> {
    const worker = new Worker(await threadProgram(PROGRAM), { eval: true, workerData: data, execArgv: [] });
    try {
      for await (const [message] of on(worker, 'message', { close: ['exit'] })) {
        const said: FromCsvThread = message;
        state = said;
        if ('isDone' in said) return;
        if ('fault' in said) throw new ImportFault(said.fault);
        yield 'cases' in said ? { cases: unpackRows(said.cases) } : said.rows;
        worker.postMessage(said.count satisfies ToCsvThread);
      }
      throw new Error('the thread that reads the file ended');
    } finally {
      await worker.terminate();
    }
  }
}
