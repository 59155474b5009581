import { R_INSIGHTS } from '../access/roles.ts';
import type { Context } from '../context.ts';
import { type Reply, show } from '../http/reply.ts';
import { type Route, route } from '../http/route.ts';
import { routesOf } from '../resource/routes.ts';
import { keys } from '../store/keys.ts';
import { readCaseRequest } from './cases/case-request.ts';
import { casesBodyShape } from './cases/case-request-shape.ts';
import { casesShape, findCases } from './cases/cases.ts';
import { casesCsvReply } from './cases/cases-csv.ts';
import { storyShape, tellStory } from './cases/story.ts';
import { readChangeRequest } from './changes/change-request.ts';
import { changesShape, findChanges } from './changes/changes.ts';
import { definitionsShape } from './definitions/definitions.ts';
import { metaPartitions, metaShape, readMeta } from './meta.ts';
import { CALENDARS } from './promises/calendar.ts';
import { POLICIES } from './promises/policy.ts';
import type { ReportReader } from './report-engine.ts';
import { reportShape } from './report-json.ts';
import { answerReport, formatField, wantsCsv } from './report-reply.ts';
import { type ReportRequest, readRequest } from './request.ts';
import { requestShape } from './request-shape.ts';
import { BOARDS } from './saved/board.ts';
import { boardLinkRoutes } from './saved/board-link-routes.ts';
import { SAVED_REPORTS } from './saved/saved-report.ts';
import { runSavedReport } from './saved/saved-report-run.ts';
import { siteDefinitions } from './site-definitions.ts';
import { referencePartitions } from './site-reference.ts';

/**
 * The routes of meta, reports, cases, saved reports and boards. A site may have one outstanding request of the exclusive ones
 * together. `reader` reads the history; the default is the reader that the process shares.
 */
export const createInsightsRoutes = (reader?: ReportReader): readonly Route[] => [
  showMeta,
  createReport(reader),
  listCases(reader),
  explainChange(reader),
  showStory,
  showDefinitions,
  ...routesOf(SAVED_REPORTS),
  runSavedReport(reader),
  ...routesOf(BOARDS),
  ...boardLinkRoutes,
  ...routesOf(CALENDARS),
  ...routesOf(POLICIES),
];

const showMeta = route({
  name: 'showMeta',
  summary: 'Show the names and ids that reports use',
  method: 'GET',
  path: '/api/v2/insights3/meta',
  roles: R_INSIGHTS,
  exclusive: true,
  reply: metaShape,
  reads: metaPartitions,
  handle: async ({ context }) => show(await readMeta(context)),
});

const createReport = (reader?: ReportReader): Route =>
  reportRoute((context, request, asCsv) => answerReport(context, request, asCsv, reader));

/** The route of reports, which `answer` answers. */
export const reportRoute = (
  answer: (context: Context, request: ReportRequest, asCsv: boolean) => Promise<Reply>,
): Route =>
  route({
    name: 'createReport',
    summary: 'Compute a report; the result is not stored',
    method: 'POST',
    path: '/api/v2/insights3/reports',
    roles: R_INSIGHTS,
    exclusive: true,
    success: 200,
    query: { format: formatField() },
    csv: true,
    sent: requestShape,
    reply: reportShape,
    example: {
      fields: ['case_creates', 'resolved_cases'],
      time: { min: '2026-01-01T00:00:00-05:00', max: '2026-02-01T00:00:00-05:00', window_size: 'day' },
      dimension1: 'channel',
      filters: [[['Include', 'Priorities', [{ id: '5' }]]]],
    },
    reads: (site) => [keys.history(site), ...referencePartitions(site)],
    handle: async (call) => {
      const { context, body, query, faults } = call;
      const request = readRequest(body, context.site, context.now, faults);
      return answer(context, request, wantsCsv(call, query.format));
    },
  });

const listCases = (reader?: ReportReader): Route =>
  route({
    name: 'listReportCases',
    summary: 'List the cases behind a number of a report',
    method: 'POST',
    path: '/api/v2/insights3/cases',
    roles: R_INSIGHTS,
    exclusive: true,
    extension: true,
    success: 200,
    query: { format: formatField() },
    csv: true,
    sent: casesBodyShape,
    reply: casesShape,
    example: {
      fields: ['time_to_first_response'],
      time: { min: '2026-01-05T00:00:00-05:00', max: '2026-01-06T00:00:00-05:00', window_size: 'none' },
      dimension1: 'action_agent',
      dimension1_values: [42],
      sort: 'value',
      direction: 'desc',
    },
    reads: (site) => [keys.history(site), ...referencePartitions(site)],
    handle: async (call) => {
      const { context, body, query, faults } = call;
      const request = readCaseRequest(body, context.site, context.now, faults);
      const found = await findCases(context, request, reader);
      return wantsCsv(call, query.format) ? casesCsvReply(context, request, found) : show(found);
    },
  });

const explainChange = (reader?: ReportReader): Route =>
  route({
    name: 'explainChange',
    summary: 'Tell why a number moved: what each member of each dimension adds to its change',
    method: 'POST',
    path: '/api/v2/insights3/changes',
    roles: R_INSIGHTS,
    exclusive: true,
    extension: true,
    success: 200,
    sent: requestShape,
    reply: changesShape,
    example: {
      fields: ['resolved_cases'],
      time: {
        ...{ min: '2026-01-12T00:00:00-05:00', max: '2026-01-19T00:00:00-05:00', window_size: 'none' },
        compare: 'previous_period',
      },
    },
    reads: (site) => [keys.history(site), ...referencePartitions(site)],
    handle: async ({ context, body, faults }) =>
      show(await findChanges(context, readChangeRequest(body, context.site, context.now, faults), reader)),
  });

const showStory = route({
  name: 'showCaseStory',
  summary: 'Show the stored events of a case, and what reports count of it',
  method: 'GET',
  path: '/api/v2/insights3/cases/{case_key}',
  roles: R_INSIGHTS,
  exclusive: true,
  extension: true,
  reply: storyShape,
  reads: (site) => [keys.history(site), ...referencePartitions(site)],
  handle: async ({ context, params }) => show(await tellStory(context, params.case_key ?? '')),
});

const showDefinitions = route({
  name: 'showDefinitions',
  summary: 'Show which fields, dimensions and filters reports have, and what each means',
  method: 'GET',
  path: '/api/v2/report_definitions',
  roles: R_INSIGHTS,
  extension: true,
  reply: definitionsShape,
  reads: () => [],
  handle: async ({ context }) => show(await siteDefinitions(context)),
});

export const insightsRoutes = createInsightsRoutes();
