import * as z from 'zod';
import { R_INSIGHTS } from '../access/roles.ts';
import type { Context } from '../context.ts';
import { Failure, type Faults } from '../errors.ts';
import { nameField, wordField } from '../http/fields.ts';
import { finderOf, readsOfResource, writesOfResource } from '../http/resource.ts';
import type { Route } from '../http/route.ts';
import { idShape, linkShape, timestampShape } from '../http/shapes.ts';
import type { ReportRequest } from '../insights/request.ts';
import { readRequest } from '../insights/request.ts';
import { type KeptResource, keptIn } from '../insights/saved/kept.ts';
import { requestOf, savedReportIn } from '../insights/saved/saved-report.ts';
import { keys, members } from '../store/keys.ts';
import { checkReport, isOwn, ownedFields, ownedParts, ownedShape, planOwned, shownOwned, sinceOf } from './owned.ts';

const COMPARISONS = ['above', 'below', 'changed_by'] as const;
const CHECKS = ['hour', 'day'] as const;
const MOST = Number.MAX_SAFE_INTEGER; // larger numbers are stored with other digits

const stored = z.object({
  ...ownedParts,
  name: z.string(),
  saved_report: z.int(),
  comparison: z.enum(COMPARISONS),
  bound: z.number(), // in the field's unit; of `changed_by` percent, or points of a rate
  check: z.enum(CHECKS),
});

/** A number that is watched: a mail tells when it crosses the bound, and when it is back. */
export type Alert = Readonly<z.infer<typeof stored>>;

export const parseAlert = (item: unknown): Alert => stored.parse(item);

export const ALERTS_PATH = '/api/v2/alerts';

const shape = () =>
  z.object({
    id: idShape(),
    name: z.string(),
    saved_report: idShape(),
    comparison: z.enum(COMPARISONS),
    bound: z.number(),
    check: z.enum(CHECKS),
    ...ownedShape(),
    created_at: timestampShape(),
    updated_at: timestampShape(),
    _links: z.object({
      self: linkShape('alert'),
      check: linkShape('check'),
      saved_report: linkShape('saved_report'),
    }),
  });

function show(alert: Alert): z.input<ReturnType<typeof shape>> {
  const href = `${ALERTS_PATH}/${alert.id}`;
  return {
    ...shownOwned(alert),
    _links: {
      self: { href, class: 'alert' },
      check: { href: `${href}/check`, class: 'check' },
      saved_report: { href: `/api/v2/saved_reports/${alert.saved_report}`, class: 'saved_report' },
    },
  };
}

const ONE_NUMBER = 'An alert watches a saved report with one number: one field, no dimension, window_size none.';

/** Whether a report is a single number, as alerts need. */
export const isOneNumber = ({ fields, dimension1, dimension2, time }: ReportRequest): boolean =>
  fields.length === 1 && dimension1 === null && dimension2 === null && time.size === 'none';

/** Adds a fault unless the report exists and has one number. */
async function checkNumber(context: Context, id: number, faults: Faults): Promise<void> {
  await checkReport(context, id, faults);
  if (faults.any) return;
  try {
    const { items } = await context.open(keys.savedReports(context.site.name));
    const request = readRequest(requestOf(savedReportIn(items, id)), context.site, context.now);
    if (isOneNumber(request)) return;
  } catch (error) {
    if (!(error instanceof Failure)) throw error; // a saved report that a newer version of the service refuses
  }
  faults.explain('invalid', ['saved_report'], { message: ONE_NUMBER });
}

const ALERTS: KeptResource<Alert> = {
  ...keptIn({ partition: keys.alerts, member: members.alert, stored }),
  path: ALERTS_PATH,
  param: 'alert_id',
  isFor: isOwn,
  shape,
  show,
};

/** A route's `find`: returns the alert in the path; throws `not_found`. */
export const findAlert = finderOf(ALERTS);

/** Alerts: read and written. */
export const alertRoutes: readonly Route[] = [
  ...readsOfResource(ALERTS),
  ...writesOfResource(ALERTS, {
    limit: 'alerts',
    roles: R_INSIGHTS,
    deletes: true,
    fields: {
      name: nameField(),
      saved_report: z.int('invalid').min(1, 'invalid').meta({ description: 'Id of a saved report with one number' }),
      comparison: wordField(COMPARISONS),
      bound: z.number('invalid').min(-MOST, 'invalid').max(MOST, 'invalid').meta({
        description: "In the field's unit; of `changed_by` percent against the period before, of rates points",
      }),
      check: wordField(CHECKS).meta({ description: 'How often; hour if absent' }),
      ...ownedFields(),
    },
    required: ['name', 'saved_report', 'comparison', 'bound', 'recipients'],
    examples: [
      {
        ...{ name: 'Backlog', saved_report: 1, comparison: 'above', bound: 100 },
        ...{ check: 'hour', recipients: ['ann@acme.example'] },
      },
      { bound: 120 },
    ],
    checks: (site) => [keys.savedReports(site)],
    plan: async ({ context, before, fields, faults }) => {
      if (fields.saved_report !== undefined) await checkNumber(context, fields.saved_report, faults);
      const owned = await planOwned({ context, before, faults }, fields);
      const watched = {
        saved_report: fields.saved_report ?? before?.saved_report ?? 0,
        comparison: fields.comparison ?? before?.comparison ?? 'above',
        bound: fields.bound ?? before?.bound ?? 0,
        check: fields.check ?? before?.check ?? 'hour',
        at: owned.at,
        enabled: owned.enabled,
      };
      const name = fields.name ?? before?.name ?? '';
      return { ...owned, name, ...watched, since: sinceOf(before, watched, context.now) };
    },
  }),
];
