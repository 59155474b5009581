import { type Report, type ReportReply, readReport } from '../../console/model/report.ts';
import type { Context } from '../../context.ts';
import type { HistoryReader } from '../../history/read.ts';
import { computeReport } from '../../insights/compute.ts';
import { definitions as allDefinitions, siteDefinition } from '../../insights/definitions/definitions.ts';
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
  const request = readRequest({ ...body, chance: true }, context.site, context.now);
  const { now, site } = context;
  const definitions = { ...allDefinitions(), site: siteDefinition(site) };
  const moment = { now, zone: site.timeZone, definitions };
  const csvOf = await csvOfReport(context, request);
  return computeReport(
    context,
    request,
    (computed) => ({
      report: readReport(ownJson<ReportReply>(reportJson(computed)), moment),
      csv: csvOf(computed).body ?? '',
    }),
    reader,
  );
}
