import * as z from 'zod';
import { R_INSIGHTS } from '../access/roles.ts';
import { ALERT_COMPARISONS } from '../console/model/alert-kinds.ts';
import { Failure } from '../errors.ts';
import { type ReportRequest, readRequest } from '../insights/request.ts';
import { SAVED_REPORTS, savedReportIn } from '../insights/saved/saved-report.ts';
import { type CheckedWith, nameText, ref, type ThingOf, word } from '../resource/field.ts';
import { below, resource } from '../resource/resource.ts';
import { thingsIn } from '../resource/storing.ts';
import { keys, members } from '../store/keys.ts';
import { isOwn, ownedBy, ownedFields } from './owned.ts';

const MOST = Number.MAX_SAFE_INTEGER; // larger numbers are stored with other digits
const ONE_NUMBER = 'An alert watches a saved report with one number: one field, no dimension, window_size none.';

/** Alerts: a mail tells when a number crosses its bound, and when it is back. */
export const ALERTS = resource({
  one: 'alert',
  path: '/api/v2/alerts',
  storing: thingsIn(keys.alerts, members.alert),
  roles: R_INSIGHTS,
  isFor: isOwn,
  links: { check: below('check') },
  fields: {
    name: nameText({ required: true }),
    saved_report: ref(SAVED_REPORTS, { required: true, check: checkNumber }, 'Id of a saved report with one number'),
    comparison: word(ALERT_COMPARISONS, { required: true }),
    bound: {
      stored: z.number(),
      body: z.number('invalid').min(-MOST, 'invalid').max(MOST, 'invalid').meta({
        description: "In the field's unit; of `changed_by` percent against the period before, of rates points",
      }),
      required: true,
      shown: () => z.number(),
    },
    check: word(['hour', 'day'], { usual: 'hour' }, 'How often; hour if absent'),
    ...ownedFields(),
  },
  writes: {
    limit: 'alerts',
    roles: R_INSIGHTS,
    deletes: true,
    examples: [
      {
        name: 'Backlog',
        saved_report: 1,
        comparison: 'above',
        bound: 100,
        check: 'hour',
        recipients: ['ann@acme.example'],
      },
      { bound: 120 },
    ],
    rule: (asked) => ownedBy(asked, ['saved_report', 'comparison', 'bound', 'check', 'at', 'enabled']),
  },
});

export type Alert = ThingOf<typeof ALERTS.fields>;

/** Whether a report is a single number, as alerts need. */
export const isOneNumber = ({ fields, dimension1, dimension2, time }: ReportRequest): boolean =>
  fields.length === 1 && dimension1 === null && dimension2 === null && time.size === 'none';

/** Adds a fault unless the report has one number. */
async function checkNumber(value: unknown, { name: field, context, faults }: CheckedWith): Promise<void> {
  if (faults.any) return;
  try {
    const { items } = await context.open(keys.savedReports(context.site.name));
    const request = readRequest(savedReportIn(items, Number(value)).request, context.site, context.now);
    if (isOneNumber(request)) return;
  } catch (error) {
    if (!(error instanceof Failure)) throw error; // a saved report that a newer version of the service refuses
  }
  faults.explain('invalid', [field], { message: ONE_NUMBER });
}
