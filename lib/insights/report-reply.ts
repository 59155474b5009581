import type { Context } from '../context.ts';
import { prefersCsv } from '../http/accept.ts';
import { wordField } from '../http/fields.ts';
import { type Reply, showJson } from '../http/reply.ts';
import type { Call } from '../http/route.ts';
import { withTime } from './all-time.ts';
import { computeReport, createReader } from './compute.ts';
import { csvOfReport } from './report-csv.ts';
import type { ReportReader } from './report-engine.ts';
import { type ComputedReport, reportJson } from './report-json.ts';
import type { ReportRequest } from './request.ts';

/** The query field `format`: a plain link asks for CSV with `?format=csv`, since it cannot send an Accept header. */
export const formatField = () =>
  wordField(['json', 'csv']).meta({ description: 'csv answers as `Accept: text/csv` does (extension)' });

/** Whether the reply is CSV: `format` decides, and without it the Accept header. */
export const wantsCsv = ({ headers }: Pick<Call, 'headers'>, format: 'json' | 'csv' | undefined): boolean =>
  (format ?? (prefersCsv(headers.accept) ? 'csv' : 'json')) === 'csv';

/** Computes a report and makes the reply, as CSV or JSON. */
export async function answerReport(
  context: Context,
  asked: ReportRequest,
  asCsv: boolean,
  reader: ReportReader = context.shared(createReader),
): Promise<Reply> {
  const request = await withTime(context, asked, reader);
  const show = asCsv ? await csvOfReport(context, request) : (report: ComputedReport) => showJson(reportJson(report));
  return computeReport(context, request, show, reader);
}
