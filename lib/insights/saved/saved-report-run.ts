import { R_INSIGHTS } from '../../access/roles.ts';
import { type Route, route } from '../../http/route.ts';
import { keys } from '../../store/keys.ts';
import type { ReportReader } from '../report-engine.ts';
import { reportShape } from '../report-json.ts';
import { answerReport, formatField, wantsCsv } from '../report-reply.ts';
import { readRequest } from '../request.ts';
import { referencePartitions } from '../site-reference.ts';
import { findSavedReport, SAVED_REPORTS } from './saved-report.ts';

/** The route that runs a saved report. `reader` reads the history. */
export const runSavedReport = (reader?: ReportReader): Route =>
  route({
    name: 'runSavedReport',
    summary: 'Compute a saved report as of now',
    method: 'POST',
    path: `${SAVED_REPORTS.path}/{saved_report_id}/run`,
    roles: R_INSIGHTS,
    extension: true,
    exclusive: true,
    success: 200,
    csv: true,
    query: { format: formatField() },
    reply: reportShape,
    example: {},
    reads: (site) => [keys.savedReports(site), keys.history(site), ...referencePartitions(site)],
    find: findSavedReport,
    handle: async (call) => {
      const { context, resource, query, faults } = call;
      const request = readRequest(resource.request, context.site, context.now, faults);
      return answerReport(context, request, wantsCsv(call, query.format), reader);
    },
  });
