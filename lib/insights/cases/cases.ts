import * as z from 'zod';
import type { Context } from '../../context.ts';
import { type Failure, plainRefusal } from '../../errors.ts';
import type { History } from '../../history/read.ts';
import { writeCursor } from '../../http/page.ts';
import { unavailable } from '../../store/faults.ts';
import { keys } from '../../store/keys.ts';
import { withAllTime } from '../all-time.ts';
import { createReader } from '../compute.ts';
import { planReport, rangeRead } from '../plan.ts';
import type { ReportReader } from '../report-engine.ts';
import { createScanner } from '../scan/scanner.ts';
import { readReference } from '../site-reference.ts';
import { findUnknown, type Unknown, unknownShape } from '../unknown-members.ts';
import { type CaseRequest, echoCases } from './case-request.ts';
import type { Cursor } from './cursor.ts';
import { countedIn } from './entries.ts';
import { createPage, type PageHeap, placeAfter } from './page.ts';
import { type ShownCase, showEntry, shownCaseShape } from './shown-case.ts';

/** The cases behind a cell as replies show them. */
export const casesShape = () =>
  z.object({
    request: z.record(z.string(), z.unknown()),
    total_entries: z.int(),
    cases: z.array(shownCaseShape()),
    cursor: z
      .string()
      .nullable()
      .meta({ description: 'The cursor of the next page, to be sent in the same body; null on the last page' }),
    unknown: unknownShape(),
  });

export interface CasePage {
  readonly request: Readonly<Record<string, unknown>>;
  readonly total_entries: number;
  readonly cases: readonly ShownCase[];
  readonly cursor: string | null;
  readonly unknown?: Unknown | undefined; // the members and ids of the request that do not exist
}

/** Finds a page of the cases behind a cell. Throws `gone` if the history has changed since the first page. */
export async function findCases(
  context: Context,
  asked: CaseRequest,
  reader: ReportReader = context.shared(createReader),
): Promise<CasePage> {
  const request = { ...asked, report: await withAllTime(context, asked.report, reader) };
  const { report, cursor } = request;
  const [known, unknown] = await Promise.all([readReference(context, report), findUnknown(context, report)]);
  const reference = { ...known, now: Math.floor(request.now / 1000) };
  await reader.engine?.checkList(context, { request: report, reference, reader });
  const reads = rangeRead(planReport(report, reference));
  const wanted = {
    from: reads.min,
    to: reads.max - 1,
    kinds: ['cases'] as const,
    rows: 2, // the first version of rows that has the status of a case
    version: context.version(keys.history(context.site.name)),
  };
  return reader.read(context, wanted, async (history) => {
    const state = `${history.version} ${history.tail}`;
    if (cursor !== undefined && cursor.history !== state) throw gone();
    const page = createPage(request.perPage + 1, request, cursor?.place);
    const plan = planReport(report, reference, { min: history.start, max: history.end + 1 });
    if (plan.measures.size > 0) await walk(context, request, { plan, history, page });
    const found = page.entries();
    const cases = fitting(found.slice(0, request.perPage).map((entry) => showEntry(entry, report.time.zone)));
    const entries = found.slice(0, cases.length);
    const place = found.length > entries.length ? placeAfter(entries, cursor?.place) : undefined;
    return {
      request: echoCases(request),
      total_entries: page.total(),
      cases,
      cursor: place
        ? writeCursor({ of: request.digest, now: request.now, history: state, place } satisfies Cursor)
        : null,
      ...(unknown && { unknown }),
    };
  });
}

const MOST_BYTES = 2_500_000; // of a page's cases as JSON; leaves room for the echoed request and for longer CSV

/** The first cases that fit a reply, at least one; the cursor then continues with the others. */
function fitting(cases: readonly ShownCase[]): readonly ShownCase[] {
  let size = 0;
  const end = cases.findIndex((one, index) => {
    size += Buffer.byteLength(JSON.stringify(one));
    return index > 0 && size > MOST_BYTES;
  });
  return end < 0 ? cases : cases.slice(0, end);
}

const gone = (): Failure =>
  plainRefusal('gone', 'The history has changed since the first page. Ask for the first page again, without a cursor.');

/** Offers every entry behind the cell to the page. */
async function walk(
  context: Context,
  { field, entries }: CaseRequest,
  found: { readonly plan: ReturnType<typeof planReport>; readonly history: History; readonly page: PageHeap },
): Promise<void> {
  const { plan, history, page } = found;
  const isCounted = countedIn(field);
  const onTime = (): void => {
    if (context.clock() > context.deadline) throw unavailable();
  };
  const { add } = context.shared(createScanner).walk({ ...plan, onTime }, (view) => {
    const { segment } = view;
    const { start } = segment.head;
    entries(view, (row, second, value) => page.offer(start + second, value, isCounted(value), { segment, row }));
  });
  for await (const part of history.segments) {
    await add(part);
    onTime();
  }
}
