import type { Definitions } from '../../console/model/definitions.ts';
import { createFormat } from '../../console/model/format.ts';
import { createNames, type Meta } from '../../console/model/names.ts';
import { type Report, type ReportReply, readReport } from '../../console/model/report/report.ts';
import type { Context } from '../../context.ts';
import { withTime } from '../../insights/all-time.ts';
import { computeReport, createReader } from '../../insights/compute.ts';
import { readMeta } from '../../insights/meta.ts';
import { csvOfReport } from '../../insights/report-csv.ts';
import type { ReportReader } from '../../insights/report-engine.ts';
import { reportJson } from '../../insights/report-json.ts';
import { readRequest } from '../../insights/request.ts';
import { siteDefinitions } from '../../insights/site-definitions.ts';
import { ownJson } from '../../own-json.ts';
import type { Writing } from './content.ts';

/** A report for a mail, and the same as CSV. */
export interface MailReport {
  readonly report: Report;
  readonly csv: string;
}

/** How a site's numbers are written. */
export async function writingOf(context: Context): Promise<Writing> {
  const { site } = context;
  const definitions = await siteDefinitions(context);
  const format = createFormat(site.defaultLocale.replaceAll('_', '-'));
  const { case_rating_type, ...kinds } = await readMeta(context);
  const meta: Meta = Object.assign<Meta, Pick<Meta, 'case_rating_type'>>(kinds, { case_rating_type });
  return { definitions, format, names: createNames(definitions, meta, format) };
}

/** Computes a report as of the context's moment. Throws the 422 of a request that is refused. */
export async function reportForMail(
  context: Context,
  body: object,
  definitions: Definitions,
  reader: ReportReader = context.shared(createReader),
): Promise<MailReport> {
  const request = await withTime(context, readRequest({ ...body, chance: true }, context.site, context.now), reader);
  const { now, site } = context;
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
