import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { newFilePlaces } from '../../../lib/import/formats/file-places.ts';
import { newFindings } from '../../../lib/import/formats/findings.ts';
import { ImportFault } from '../../../lib/import/formats/import-fault.ts';
import { newInputs } from '../../../lib/import/formats/inputs.ts';
import { packRows } from '../../../lib/import/formats/packed-rows.ts';
import type { Batch } from '../../../lib/import/formats/row.ts';
import type { EventsOf } from '../../../lib/import/formats/zendesk/earlier-comments.ts';
import { type ReadTask, readHere } from '../../../lib/import/read-task.ts';
import type { FromRowsThread, RowsMessage, ToRowsThread } from './rows-messages.ts';

/** Rows that may wait to be taken: as many as are merged next, while others are. */
const AHEAD = 100_000;

/** The work of a thread that reads files for an import: the other end of `rows-in-thread.ts`. */
async function readInThread(): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('not in a thread');
  const task: ReadTask = workerData;
  const inputs = newInputs();
  const [places, findings] = [newFilePlaces(), newFindings()];
  let waiting = 0;
  let isEnded = false;
  let answer: ((events: Awaited<ReturnType<EventsOf>>) => void) | undefined;
  port.on('message', (told: ToRowsThread) => {
    if (typeof told === 'number') waiting -= told;
    else if (told !== 'end') answer?.(told);
    else {
      isEnded = true;
      answer?.(new Map());
    }
  });
  const eventsOf: EventsOf = (asked) => {
    say({ asked });
    return new Promise((resolve) => {
      answer = resolve;
    });
  };
  const reading = readHere(task, inputs, { places, findings, eventsOf });
  function say(what: RowsMessage): void {
    const state = { position: inputs.position(), counted: reading.rows(), begun: places.news() };
    port?.postMessage({ ...state, ...what } satisfies FromRowsThread);
  }
  const give = (batch: Batch): void => {
    const isWhole = 'cases' in batch;
    const rows = isWhole ? batch.cases : batch;
    const { cases: _, ...others } = isWhole ? batch : { cases: [] };
    const count = rows.length + (others.known?.keys.length ?? 0);
    waiting += count;
    // Rows by themselves that other formats give than NDJSON are few: members, and those that are refused.
    const areMany = isWhole || task.format === 'ndjson';
    say(areMany ? { packed: packRows(rows), isWhole, count, ...others } : { rows, count });
  };
  try {
    for await (const batch of reading.batches) {
      while (waiting >= AHEAD && !isEnded) await once(port, 'message');
      if (isEnded) return;
      give(batch);
    }
    say({ isDone: true, findings: findings.summary(), check: reading.check() });
  } catch (error) {
    if (!(error instanceof ImportFault)) throw error;
    say({ fault: error.message });
  } finally {
    port.close();
  }
}

void readInThread();
