import * as z from 'zod';
import { ALERT_KINDS, isCrossed } from '../console/model/alert-kinds.ts';
import { unitOf } from '../console/model/fields.ts';
import { numberBefore, rangesText, rangeText } from '../console/model/report/report.ts';
import type { Context } from '../context.ts';
import { oneFault } from '../errors.ts';
import type { ReportReader } from '../insights/report-engine.ts';
import { readRequest } from '../insights/request.ts';
import { savedReportIn } from '../insights/saved/saved-report.ts';
import { keys, members } from '../store/keys.ts';
import { type Alert, isOneNumber } from './alert.ts';
import { deliveryIn } from './delivery.ts';
import { reportForMail, writingOf } from './mail/reports.ts';
import { createTellWhy } from './mail/why.ts';

export const checkShape = () =>
  z.object({
    value: z.number().nullable(),
    before: z
      .number()
      .nullable()
      .meta({ description: 'In the period before; null unless it is compared, as it is where a mail is due' }),
    crossed: z.boolean().nullable().meta({ description: 'null if a number is empty: nothing can be said' }),
    shown: z.string().meta({ description: 'The value for people' }),
    shown_before: z.string(),
    shown_bound: z.string().meta({ description: 'The bound, likewise' }),
    shown_period: z.string().meta({ description: 'The range that is counted' }),
    shown_range: z.string().meta({ description: 'The range that is counted, and the one that it is compared with' }),
    why: z.array(z.string()).readonly().meta({ description: 'What adds most to its change, where a mail is due' }),
  });

/** The number of an alert, as it is now. */
export type Checked = Readonly<z.infer<ReturnType<typeof checkShape>>>;

/** Computes the number of an alert. Throws `not_found` if its report was removed, and `invalid` if that has become more than a number. */
export async function checkAlert(context: Context, alert: Alert, reader?: ReportReader): Promise<Checked> {
  const { site, now, table } = context;
  const { items } = await context.open(keys.savedReports(site.name));
  const saved = savedReportIn(items, alert.saved_report).request;
  const { compares, boundText } = ALERT_KINDS[alert.comparison];
  if (!isOneNumber(readRequest(saved, site, now)))
    throw oneFault('invalid', ['saved_report'], 'The saved report of the alert has more than one number by now.');
  const writing = await writingOf(context);
  const { definitions, format } = writing;
  const compute = async (more: object) => {
    const body = { ...saved, time: { ...Object(saved.time), ...more }, totals: true };
    return { body, report: (await reportForMail(context, body, definitions, reader)).report };
  };
  let { body, report } = await compute(compares ? BEFORE : {});
  const value = report.totals?.all.values[0] ?? null;
  const unit = unitOf(definitions, report.fields[0] ?? '');
  const crossed = isCrossed(alert, { value, before: numberBefore(report), unit });
  const { on, since } = deliveryIn(await table.get(keys.delivery(site.name, members.alert(alert.id)))).kept;
  const isDue = crossed !== null && crossed !== (since === alert.since && on);
  if (isDue && report.before === undefined) ({ body, report } = await compute(BEFORE).catch(() => ({ body, report }))); // all time has none
  const before = numberBefore(report);
  return {
    value,
    before,
    crossed,
    shown: format.value(value, unit),
    shown_before: format.value(before, unit),
    shown_bound: boundText(alert.bound, unit, format),
    shown_period: rangeText(report, format),
    shown_range: rangesText(report, format),
    why: isDue ? await createTellWhy(context, writing, reader)(body, report) : [],
  };
}

const BEFORE = { compare: 'previous_period' };
