import * as z from 'zod';
import { R_INSIGHTS } from '../access/roles.ts';
import type { HistoryReader } from '../history/read.ts';
import { checkRoom, idOf, nameField, textField } from '../http/fields.ts';
import { listReply } from '../http/page.ts';
import { noContent, show } from '../http/reply.ts';
import { type Call, type Route, route } from '../http/route.ts';
import { pageShape } from '../http/shapes.ts';
import { keys, type Partition } from '../store/keys.ts';
import { answerReport, formatField, wantsCsv } from './answer.ts';
import { reportShape } from './report.ts';
import { readRequest } from './request.ts';
import {
  checkRequest,
  createSavedReport,
  deleteSavedReport,
  findSavedReport,
  listSavedReports,
  requestOf,
  SAVED_REPORTS_PATH,
  type SavedReport,
  savedReportShape,
  showSavedReport,
  updateSavedReport,
} from './saved-report.ts';
import { referencePartitions } from './site-reference.ts';

const REPORT = `${SAVED_REPORTS_PATH}/{saved_report_id}`;

const reportsOf = (site: string): Partition[] => [keys.savedReports(site)];

const theReport = ({ context, params }: Pick<Call, 'context' | 'params'>): Promise<SavedReport> =>
  findSavedReport(context, idOf(params.saved_report_id));

const fields = {
  name: nameField(),
  description: textField(),
  request: z.record(z.string(), z.unknown(), 'invalid').meta({ description: "A report's body, checked as one" }),
};

const usual = { roles: R_INSIGHTS, extension: true } as const;
const example = {
  name: 'Resolved by agent, last four weeks',
  request: {
    fields: ['resolved_cases', 'time_to_resolution:p50'],
    time: { last: 4, unit: 'week', window_size: 'week' },
    dimension1: 'action_agent',
  },
};

/** The routes of saved reports. `reader` reads the history when one is run. */
export const createSavedReportRoutes = (reader?: HistoryReader): readonly Route[] => [
  list,
  showOne,
  create,
  update,
  remove,
  run(reader),
];

const list = route({
  name: 'listSavedReports',
  summary: 'List saved reports by id',
  method: 'GET',
  path: SAVED_REPORTS_PATH,
  ...usual,
  list: true,
  reply: () => pageShape(savedReportShape()),
  reads: reportsOf,
  handle: (call) => {
    const { context } = call;
    const partition = keys.savedReports(context.site.name);
    return listReply(call, {
      path: SAVED_REPORTS_PATH,
      seeds: [context.version(partition)],
      members: async () => listSavedReports(await context.open(partition)),
      show: showSavedReport,
    });
  },
});

const showOne = route({
  name: 'showSavedReport',
  summary: 'Show a saved report',
  method: 'GET',
  path: REPORT,
  ...usual,
  reply: savedReportShape,
  reads: reportsOf,
  find: theReport,
  handle: ({ resource }) => show(showSavedReport(resource)),
});

const create = route({
  name: 'createSavedReport',
  summary: 'Save the request of a report under a name',
  method: 'POST',
  path: SAVED_REPORTS_PATH,
  ...usual,
  body: fields,
  required: ['name', 'request'],
  reply: savedReportShape,
  example,
  reads: (site) => [keys.savedReports(site), keys.ids(site)],
  handle: async ({ context, fields, faults }) => {
    checkRequest(context, fields, faults);
    checkRoom('savedReports', (await context.open(keys.savedReports(context.site.name))).order.length, faults);
    faults.check();
    return createSavedReport(context, fields);
  },
});

const update = route({
  name: 'updateSavedReport',
  summary: 'Update the given fields of a saved report',
  method: 'PATCH',
  path: REPORT,
  ...usual,
  body: fields,
  reply: savedReportShape,
  example: { name: 'Resolved by agent' },
  reads: reportsOf,
  find: theReport,
  current: ({ resource }) => showSavedReport(resource),
  handle: async ({ context, resource, fields, faults }) => {
    checkRequest(context, fields, faults);
    faults.check();
    return show(showSavedReport(await updateSavedReport(context, resource, fields)));
  },
});

const remove = route({
  name: 'deleteSavedReport',
  summary: 'Delete a saved report',
  method: 'DELETE',
  path: REPORT,
  ...usual,
  reads: reportsOf,
  find: theReport,
  current: ({ resource }) => showSavedReport(resource),
  handle: async ({ context, resource }) => {
    await deleteSavedReport(context, resource);
    return noContent;
  },
});

const run = (reader?: HistoryReader): Route =>
  route({
    name: 'runSavedReport',
    summary: 'Compute a saved report as of now',
    method: 'POST',
    path: `${REPORT}/run`,
    ...usual,
    exclusive: true,
    success: 200,
    csv: true,
    query: { format: formatField() },
    reply: reportShape,
    example: {},
    reads: (site) => [keys.savedReports(site), keys.history(site), ...referencePartitions(site)],
    find: theReport,
    handle: async (call) => {
      const { context, resource, query, faults } = call;
      const request = readRequest(requestOf(resource), context.site, context.now, faults);
      return answerReport(context, request, wantsCsv(call, query.format), reader);
    },
  });
