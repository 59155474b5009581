import type { Context } from '../context.ts';
import { createHistoryReader, type History, type HistoryReader } from '../history/read.ts';
import { unavailable } from '../store/faults.ts';
import { keys } from '../store/keys.ts';
import { type Plan, planReport } from './plan.ts';
import { reportJson } from './report.ts';
import type { ReportRequest } from './request.ts';
import type { Partial } from './scan/partial.ts';
import { createScanner, type ScanRun } from './scan/scanner.ts';
import { readReference } from './site-reference.ts';

const CACHE_BYTES = 128_000_000; // deflated segments kept from one report to the next: about 40 million facts

/** What reads the histories of reports. */
export const createReader = (): HistoryReader => createHistoryReader({ cacheBytes: CACHE_BYTES });

/** The JSON of a report over the site's history as of now. Throws the 422 `too_large`, and `unavailable` past the deadline. */
export async function computeReport(
  context: Context,
  request: ReportRequest,
  reader: HistoryReader = context.shared(createReader),
): Promise<string> {
  const scanner = context.shared(createScanner);
  const reference = await readReference(context, request);
  const asked = planReport(request, reference);
  const wanted = {
    from: asked.range.min,
    to: asked.range.max - 1,
    kinds: kindsOf(asked),
    version: context.version(keys.history(context.site.name)),
  };
  return reader.read(context, wanted, async (history) => {
    const extent = { min: history.start, max: history.end + 1 };
    const narrower = extent.min > asked.range.min || extent.max < asked.range.max;
    const plan = narrower ? planReport(request, reference, extent) : asked;
    return reportJson(plan, await scanAll(context, scanner.start(plan), history));
  });
}

/** Scans segments while further ones are read. */
async function scanAll(context: Context, run: ScanRun, { segments }: History): Promise<Partial> {
  try {
    for await (const part of segments) {
      await run.add(part);
      if (context.clock() > context.deadline) throw unavailable();
    }
    return run.result();
  } finally {
    run.close();
  }
}

function kindsOf({ measures }: Plan): ('cases' | 'sessions')[] {
  const online = measures.has('onlineSeconds');
  return [
    ...(measures.size > (online ? 1 : 0) ? (['cases'] as const) : []),
    ...(online ? (['sessions'] as const) : []),
  ];
}
