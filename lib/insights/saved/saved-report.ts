import * as z from 'zod';
import { R_INSIGHTS } from '../../access/roles.ts';
import type { Context } from '../../context.ts';
import { Failure, type Faults, notFound } from '../../errors.ts';
import { nameField, textField } from '../../http/fields.ts';
import { finderOf, readsOfResource, writesOfResource } from '../../http/resource.ts';
import type { Route } from '../../http/route.ts';
import { idShape, linkShape, timestampShape } from '../../http/shapes.ts';
import type { Collection } from '../../store/collection.ts';
import { keys, members } from '../../store/keys.ts';
import { timestamp } from '../../text.ts';
import { readRequest } from '../request.ts';
import { type KeptResource, keptIn } from './kept.ts';

const stored = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string().nullable(),
  request: z.string(), // JSON of a report's body, as sent
  created_at: z.number(), // epoch ms
  updated_at: z.number(),
});

/** The request of a report, stored under a name. */
type SavedReport = Readonly<z.infer<typeof stored>>;

export const SAVED_REPORTS_PATH = '/api/v2/saved_reports';

/** A saved report as replies show it. */
const savedReportShape = () =>
  z.object({
    id: idShape(),
    name: z.string(),
    description: z.string().nullable(),
    request: z.record(z.string(), z.unknown()).meta({ description: "A report's body, as sent" }),
    created_at: timestampShape(),
    updated_at: timestampShape(),
    _links: z.object({ self: linkShape('saved_report'), run: linkShape('report') }),
  });

function showSavedReport(report: SavedReport): z.input<ReturnType<typeof savedReportShape>> {
  const { id, name, description, created_at, updated_at } = report;
  const href = `${SAVED_REPORTS_PATH}/${id}`;
  return {
    id,
    name,
    description,
    request: requestOf(report),
    created_at: timestamp(created_at),
    updated_at: timestamp(updated_at),
    _links: { self: { href, class: 'saved_report' }, run: { href: `${href}/run`, class: 'report' } },
  };
}

const anyObject = z.record(z.string(), z.unknown());

/** The report body that was saved. */
export const requestOf = ({ request }: SavedReport): Record<string, unknown> => anyObject.parse(JSON.parse(request));

/** The saved report of an id among the items of their collection. Throws `not_found`. */
export function savedReportIn(items: Collection['items'], id: number): SavedReport {
  const item = items.get(members.savedReport(id));
  if (item === undefined) throw notFound(`saved report ${id}`);
  return stored.parse(item);
}

/** All saved reports by id, with the requests that were saved. */
export function savedReportsIn(
  items: Collection['items'],
): Map<number, { name: string; request: Record<string, unknown> }> {
  const all = [...items.values()].map((item) => stored.parse(item));
  return new Map(all.map((report) => [report.id, { name: report.name, request: requestOf(report) }]));
}

const REQUEST_SIZE = 64 * 1024; // bytes of JSON

/** Checks the request of a report to be saved; adds its faults to `faults`, with paths below `request`. */
function checkRequest({ site, now }: Context, request: Record<string, unknown>, faults: Faults): void {
  if (Buffer.byteLength(JSON.stringify(request)) > REQUEST_SIZE) {
    faults.explain('too_long', ['request'], { takes: `an object of at most ${REQUEST_SIZE} bytes of JSON` });
    return;
  }
  try {
    readRequest(request, site, now);
  } catch (error) {
    if (!(error instanceof Failure) || error.errors === undefined) throw error;
    faults.addBelow(['request'], error);
  }
}

const SAVED_REPORTS: KeptResource<SavedReport> = {
  ...keptIn({ partition: keys.savedReports, member: members.savedReport, stored }),
  path: SAVED_REPORTS_PATH,
  param: 'saved_report_id',
  shape: savedReportShape,
  show: showSavedReport,
};

/** A route's `find`: returns the saved report in the path; throws `not_found`. */
export const findSavedReport = finderOf(SAVED_REPORTS);

/** Saved reports: read and written. */
export const savedReportRoutes: readonly Route[] = [
  ...readsOfResource(SAVED_REPORTS),
  ...writesOfResource(SAVED_REPORTS, {
    limit: 'saved reports',
    roles: R_INSIGHTS,
    deletes: true,
    fields: {
      name: nameField(),
      description: textField(),
      request: z.record(z.string(), z.unknown(), 'invalid').meta({ description: "A report's body, checked as one" }),
    },
    required: ['name', 'request'],
    examples: [
      {
        name: 'Resolved by agent, last four weeks',
        request: {
          fields: ['resolved_cases', 'time_to_resolution:p50'],
          time: { last: 4, unit: 'week', window_size: 'week' },
          dimension1: 'action_agent',
        },
      },
      { name: 'Resolved by agent' },
    ],
    plan: ({ context, before, fields: { name, description, request }, faults }) => {
      if (request !== undefined) checkRequest(context, request, faults);
      return {
        name: name ?? before?.name ?? '',
        description: description === undefined ? (before?.description ?? null) : description,
        request: request === undefined ? (before?.request ?? '{}') : JSON.stringify(request),
      };
    },
  }),
];
