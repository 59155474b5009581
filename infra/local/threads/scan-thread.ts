import { parentPort, workerData } from 'node:worker_threads';
import { Failure } from '../../../lib/errors.ts';
import type { Partial } from '../../../lib/insights/scan/partial.ts';
import { createSegmentScanner, type SegmentScanner } from '../../../lib/insights/scan/scanner.ts';
import { shareBytes } from '../../../lib/share-bytes.ts';
import type { FromThread, ThreadData, ThreadFailure, ToThread } from './scan-messages.ts';

type Run = ReturnType<SegmentScanner['start']>;

/** The work of a thread that scans segments for the service: the other end of `thread.ts`. */
function scanInThread(): void {
  const port = parentPort;
  if (port === null) throw new Error('not in a thread');
  const { decodedBytes, memory } = workerData as ThreadData;
  const scanner = createSegmentScanner(decodedBytes, memory);
  const runs = new Map<number, Run>();

  function take(message: ToThread): FromThread | undefined {
    const { run } = message;
    if ('plan' in message) {
      runs.set(run, scanner.start(message.plan));
      return undefined;
    }
    const scan = runs.get(run);
    if (scan === undefined) return undefined; // it failed before
    if ('segments' in message) {
      for (const segment of message.segments) scan.add(segment);
      return undefined;
    }
    const answer = message.asks === 'result' ? { run, partial: sharePartial(scan.result()) } : undefined;
    end(run);
    return answer;
  }

  function end(run: number): void {
    runs.get(run)?.close();
    runs.delete(run);
  }

  port.on('message', (message: ToThread) => {
    try {
      const answer = take(message);
      if (answer !== undefined) port.postMessage(answer);
    } catch (error) {
      end(message.run);
      port.postMessage({ run: message.run, failure: describe(error) } satisfies FromThread);
    }
  });
}

/** The same result in shared memory: other arrays would be written out and read in again on their way to another thread. */
function sharePartial(partial: Partial): Partial {
  return {
    ...partial,
    first: new Int32Array(shareBytes(partial.first)),
    second: new Int32Array(shareBytes(partial.second)),
    windows: new Int32Array(shareBytes(partial.windows)),
    sums: partial.sums.map((sum) => new Float64Array(shareBytes(sum))),
  };
}

function describe(error: unknown): ThreadFailure {
  if (!(error instanceof Failure)) return { kind: undefined, message: String(error), details: {} };
  const { kind, message, errors, headers } = error;
  return { kind, message, details: { message, headers, ...(errors === undefined ? {} : { errors }) } };
}

scanInThread();
