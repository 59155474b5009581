import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { newFindings } from '../../../lib/import/formats/findings.ts';
import { ImportFault } from '../../../lib/import/formats/import-fault.ts';
import { newInputs } from '../../../lib/import/formats/inputs.ts';
import { newLineNumbers } from '../../../lib/import/formats/line-numbers.ts';
import { packRows } from '../../../lib/import/formats/packed-rows.ts';
import type { Batch } from '../../../lib/import/formats/row.ts';
import { type ReadTask, readHere } from '../../../lib/import/read-task.ts';
import type { ReadStoredEvents } from '../../../lib/import/zendesk/earlier-comments.ts';
import type { FromRowsThread, RowsMessage, ToRowsThread } from './rows-messages.ts';

/** Rows that may wait for the main thread: enough for the next merge while one is running. */
const AHEAD = 100_000;

/** The program of the thread: the other end of `rows-in-thread.ts`. */
async function readInThread(): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('not in a thread');
  const task: ReadTask = workerData;
  const inputs = newInputs();
  const [lineNumbers, findings] = [newLineNumbers(), newFindings()];
  let waiting = 0;
  let isEnded = false;
  let answer: ((events: Awaited<ReturnType<ReadStoredEvents>>) => void) | undefined;
  port.on('message', (message: ToRowsThread) => {
    if (typeof message === 'number') waiting -= message;
    else if (message !== 'end') answer?.(message);
    else {
      isEnded = true;
      answer?.(new Map());
    }
  });
  const eventsOf: ReadStoredEvents = (asked) => {
    send({ asked });
    return new Promise((resolve) => {
      answer = resolve;
    });
  };
  const reading = readHere(task, inputs, { lineNumbers, findings, eventsOf });
  function send(what: RowsMessage): void {
    const state = { position: inputs.position(), counted: reading.rows(), begun: lineNumbers.news() };
    port?.postMessage({ ...state, ...what } satisfies FromRowsThread);
  }
  const sendBatch = (batch: Batch): void => {
    const isWhole = 'cases' in batch;
    const rows = isWhole ? batch.cases : batch;
    const { cases: _, ...others } = isWhole ? batch : { cases: [] };
    const count = rows.length + (others.known?.length ?? 0);
    waiting += count;
    // Formats other than NDJSON give few single rows: members, and rejected rows.
    const areMany = isWhole || task.format === 'ndjson';
    send(areMany ? { packed: packRows(rows), isWhole, count, ...others } : { rows, count });
  };
  try {
    for await (const batch of reading.batches) {
      while (waiting >= AHEAD && !isEnded) await once(port, 'message');
      if (isEnded) return;
      sendBatch(batch);
    }
    send({ isDone: true, findings: findings.summary() });
  } catch (error) {
    if (!(error instanceof ImportFault)) throw error;
    send({ fault: error.message });
  } finally {
    port.close();
  }
}

void readInThread();
