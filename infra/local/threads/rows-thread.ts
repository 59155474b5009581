import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { newFindings } from '../../../lib/import/formats/findings.ts';
import { ImportFault } from '../../../lib/import/formats/import-fault.ts';
import { openInput } from '../../../lib/import/formats/input.ts';
import { readMapped } from '../../../lib/import/formats/mapped.ts';
import { readNdjson } from '../../../lib/import/formats/ndjson.ts';
import { packRows } from '../../../lib/import/formats/packed-rows.ts';
import type { Batch } from '../../../lib/import/formats/row.ts';
import type { FromRowsThread, RowsMessage, RowsThreadData, ToRowsThread } from './rows-messages.ts';

/** Rows that may wait to be taken: as many as are merged next, while others are. */
const AHEAD = 100_000;

/** The work of a thread that reads a file for an import: the other end of `rows-in-thread.ts`. */
async function readInThread(): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('not in a thread');
  const { path, mapping, folder, known }: RowsThreadData = workerData;
  const input = await openInput(path);
  const findings = newFindings();
  const mapped =
    mapping && readMapped(input.bytes, mapping, { folder, findings, ...(known === undefined ? {} : { known }) });
  let waiting = 0;
  let isEnded = false;
  port.on('message', (told: ToRowsThread) => {
    if (told === 'end') isEnded = true;
    else waiting -= told;
  });
  const say = (what: RowsMessage): void => {
    const state = { position: input.position(), header: mapped?.header(), counted: mapped?.rows() };
    port.postMessage({ ...state, ...what } satisfies FromRowsThread);
  };
  const give = (batch: Batch): void => {
    const isWhole = 'cases' in batch;
    const rows = isWhole ? batch.cases : batch;
    const { cases: _, ...others } = isWhole ? batch : { cases: [] };
    const count = rows.length + (others.known?.keys.length ?? 0);
    waiting += count;
    // Rows by themselves that a CSV gives are few: those that are refused.
    say(mapped && !isWhole ? { rows, count } : { packed: packRows(rows), isWhole, count, ...others });
  };
  try {
    for await (const batch of mapped?.batches ?? readNdjson(input.bytes)) {
      while (waiting >= AHEAD && !isEnded) await once(port, 'message');
      if (isEnded) return;
      give(batch);
    }
    say({ isDone: true, findings: findings.summary() });
  } catch (error) {
    if (!(error instanceof ImportFault)) throw error;
    say({ fault: error.message });
  } finally {
    port.close();
  }
}

void readInThread();
