import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { openInput } from '../../lib/history/formats/input.ts';
import { readMapped } from '../../lib/history/formats/mapped.ts';
import { packRows } from '../../lib/history/formats/packed-rows.ts';
import { ImportFault } from '../../lib/history/import-fault.ts';
import type { CsvThreadData, FromCsvThread, ToCsvThread } from './csv-messages.ts';

/** Rows that may wait to be taken: as many as are merged next, while others are. */
const AHEAD = 100_000;

/** The work of a thread that reads a CSV for an import: the other end of `csv-in-thread.ts`. */
async function readInThread(): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('not in a thread');
  const { path, mapping, folder } = workerData as CsvThreadData;
  const input = await openInput(path);
  const { batches, header, rows } = readMapped(input.bytes, mapping, folder);
  let waiting = 0;
  port.on('message', (taken: ToCsvThread) => {
    waiting -= taken;
  });
  const say = (what: object): void => {
    const state = { position: input.position(), header: header(), counted: rows() };
    port.postMessage({ ...state, ...what } as FromCsvThread);
  };
  try {
    for await (const batch of batches) {
      while (waiting >= AHEAD) await once(port, 'message');
      const count = 'cases' in batch ? batch.cases.length : batch.length;
      waiting += count;
      say('cases' in batch ? { cases: packRows(batch.cases), count } : { rows: batch, count });
    }
    say({ isDone: true });
  } catch (error) {
    if (!(error instanceof ImportFault)) throw error;
    say({ fault: error.message });
  } finally {
    port.close();
  }
}

void readInThread();
