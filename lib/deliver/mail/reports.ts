import { type Report, type ReportReply, readReport } from '../../console/model/report.ts';
import type { Context } from '../../context.ts';
import type { HistoryReader } from '../../history/read.ts';
import { computeReport } from '../../insights/compute.ts';
import { csvOfReport } from '../../insights/report-csv.ts';
import { reportJson } from '../../insights/report-json.ts';
import { readRequest } from '../../insights/request.ts';
import { ownJson } from '../../own-json.ts';

/** A report for a mail, and the same as CSV. */
export interface MailReport {
  readonly report: Report;
  readonly csv: string;
}

/** Computes a report as of the context's moment. Throws the 422 of a request that is refused. */
export async function reportForMail(context: Context, body: object, reader?: HistoryReader): Promise<MailReport> {
  const request = readRequest({ ...body }, context.site, context.now);
  const csvOf = await csvOfReport(context, request);
  return computeReport(
    context,
    request,
    (found) => ({ report: readReport(ownJson<ReportReply>(reportJson(found))), csv: csvOf(found).body ?? '' }),
    reader,
  );
}
