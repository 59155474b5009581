import { hashOf } from '../../../lib/history/cases/subject.ts';
import type { Partial } from '../../../lib/insights/scan/partial.ts';
import { mergePartials, SCAN_MEMORY } from '../../../lib/insights/scan/scan.ts';
import { DECODED_BYTES, type Scanner, type ScanRun } from '../../../lib/insights/scan/scanner.ts';
import { projectPath } from '../../project.ts';
import { startThread, type ThreadRun } from './thread.ts';
import { threadProgram } from './thread-program.ts';

const PROGRAM = projectPath('infra/local/threads/scan-thread.ts');

/** A scanner in threads of their own, so that reports use all cores and requests are answered meanwhile. */
export interface ScanThreads extends Scanner {
  close(): Promise<void>;
}

/** Starts so many threads, each of which takes some 100 MB more for large reports; undefined where that is none. */
export async function startScanThreads(count: number): Promise<ScanThreads | undefined> {
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
