import * as z from 'zod';
import { R_INSIGHTS } from '../../access/roles.ts';
import { Failure, notFound } from '../../errors.ts';
import { type CheckedWith, freeText, json, nameText, type ThingOf, times } from '../../resource/field.ts';
import { below, resource } from '../../resource/resource.ts';
import { finderOf } from '../../resource/routes.ts';
import { thingsIn } from '../../resource/storing.ts';
import type { Collection } from '../../store/collection.ts';
import { keys, members } from '../../store/keys.ts';
import { readRequest } from '../request.ts';

const REQUEST_SIZE = 64 * 1024; // bytes of JSON

const anyObject = () => z.record(z.string(), z.unknown(), 'invalid');

/** Saved reports: requests of reports under a name. */
export const SAVED_REPORTS = resource({
  one: 'saved_report',
  path: '/api/v2/saved_reports',
  storing: thingsIn(keys.savedReports, members.savedReport),
  roles: R_INSIGHTS,
  links: { run: below('run', 'report') },
  fields: {
    name: nameText({ required: true }),
    description: freeText(),
    request: {
      ...json({
        value: anyObject(),
        body: anyObject().meta({ description: "A report's body, checked as one" }),
        shown: () => anyObject().meta({ description: "A report's body, as sent" }),
      }),
      required: true,
      check: checkRequest,
    },
    ...times(),
  },
  writes: {
    limit: 'saved reports',
    roles: R_INSIGHTS,
    deletes: true,
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
  },
});

export type SavedReport = ThingOf<typeof SAVED_REPORTS.fields>;

/** A route's `find`: returns the saved report in the path; throws `not_found`. */
export const findSavedReport = finderOf(SAVED_REPORTS);

/** The saved report of an id among the items of their collection. Throws `not_found`. */
export function savedReportIn(items: Collection['items'], id: number): SavedReport {
  const item = items.get(members.savedReport(id));
  if (item === undefined) throw notFound(`saved report ${id}`);
  return SAVED_REPORTS.parse(item);
}

/** All saved reports by id. */
export const savedReportsIn = (items: Collection['items']): ReadonlyMap<number, SavedReport> =>
  new Map([...items.values()].map(SAVED_REPORTS.parse).map((report) => [report.id, report]));

/** Checks the request of a report to be saved; adds its faults with paths below the field. */
function checkRequest(request: unknown, { name: field, context, faults }: CheckedWith): void {
  if (Buffer.byteLength(JSON.stringify(request)) > REQUEST_SIZE) {
    faults.explain('too_long', [field], { takes: `an object of at most ${REQUEST_SIZE} bytes of JSON` });
    return;
  }
  try {
    readRequest(anyObject().parse(request), context.site, context.now);
  } catch (error) {
    if (!(error instanceof Failure) || error.errors === undefined) throw error;
    faults.addBelow([field], error);
  }
}
