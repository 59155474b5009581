import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { hashOf } from '../../lib/history/subject.ts';
import type { Partial } from '../../lib/insights/partial.ts';
import { mergePartials, SCAN_MEMORY } from '../../lib/insights/scan.ts';
import { DECODED_BYTES, type Scanner, type ScanRun } from '../../lib/insights/scanner.ts';
import { startThread, type ThreadRun } from './thread.ts';
import { threadProgram } from './thread-program.ts';

const PROGRAM = fileURLToPath(new URL('./scan-thread.ts', import.meta.url));
const MOST_THREADS = 2; // of which each takes some 120 MB for large reports

/** A scanner in threads of their own, so that reports use all cores and requests are answered meanwhile. */
export interface ScanThreads extends Scanner {
  close(): Promise<void>;
}

/** One core serves, one is the engine's; with two, threads gained nothing over them and took 100 MB more. */
const freeCores = (): number => Math.max(0, Math.min(MOST_THREADS, availableParallelism() - 2));

/** Starts so many threads; undefined where that is none. */
export async function startScanThreads(count = freeCores()): Promise<ScanThreads | undefined> {
  if (count === 0) return undefined;
  const program = await threadProgram(PROGRAM);
  // Every thread may meet nearly all cells, so none gets less memory for them.
  const data = { decodedBytes: DECODED_BYTES / count, memory: SCAN_MEMORY };
  const threads = Array.from({ length: count }, () => startThread(program, data));
  return {
    start: (plan) =>
      spread(
        threads.map((thread) => thread.start(plan)),
        (partials) => mergePartials(plan, partials),
      ),
    close: async () => {
      await Promise.all(threads.map((thread) => thread.end()));
    },
  };
}

/** A run over several threads: a segment always goes to the same one, which may have its columns decoded. */
function spread(shares: readonly ThreadRun[], merge: (partials: Partial[]) => Partial): ScanRun {
  return {
    async add(segments) {
      for (const [place, share] of shares.entries()) {
        share.add(segments.filter(({ name }) => hashOf(name ?? '') % shares.length === place));
      }
    },
    result: async () => merge(await Promise.all(shares.map((share) => share.result()))),
    close: () => {
      for (const share of shares) share.close();
    },
  };
}
