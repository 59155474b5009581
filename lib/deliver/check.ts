import * as z from 'zod';
import { ALERT_KINDS, isCrossed } from '../console/model/alert-kinds.ts';
import { unitOf } from '../console/model/fields.ts';
import { createFormat } from '../console/model/format.ts';
import { rangesText } from '../console/model/report/report.ts';
import type { Context } from '../context.ts';
import { oneFault } from '../errors.ts';
import type { HistoryReader } from '../history/read.ts';
import { readRequest } from '../insights/request.ts';
import { savedReportIn } from '../insights/saved/saved-report.ts';
import { siteDefinitions } from '../insights/site-definitions.ts';
import { keys } from '../store/keys.ts';
import { type Alert, isOneNumber } from './alert.ts';
import { reportForMail } from './mail/reports.ts';

export const checkShape = () =>
  z.object({
    value: z.number().nullable(),
    before: z.number().nullable().meta({ description: 'In the period before; null unless it is compared' }),
    crossed: z.boolean().nullable().meta({ description: 'null if a number is empty: nothing can be said' }),
    shown: z.string().meta({ description: 'The value for people' }),
    shown_before: z.string(),
    shown_bound: z.string().meta({ description: 'The bound, likewise' }),
    shown_range: z.string().meta({ description: 'The range that is counted, and the one that it is compared with' }),
  });

/** The number of an alert, as it is now. */
export type Checked = Readonly<z.infer<ReturnType<typeof checkShape>>>;

/** Computes the number of an alert. Throws `not_found` if its report was removed, and `invalid` if that has become more than a number. */
export async function checkAlert(context: Context, alert: Alert, reader?: HistoryReader): Promise<Checked> {
  const { site, now } = context;
  const { items } = await context.open(keys.savedReports(site.name));
  const saved = savedReportIn(items, alert.saved_report).request;
  const { compares, boundText } = ALERT_KINDS[alert.comparison];
  const time = { ...Object(saved.time), ...(compares && { compare: 'previous_period' }) };
  if (!isOneNumber(readRequest(saved, site, now)))
    throw oneFault('invalid', ['saved_report'], 'The saved report of the alert has more than one number by now.');
  const known = await siteDefinitions(context);
  const { report } = await reportForMail(context, { ...saved, time, totals: true }, known, reader);
  const value = report.totals?.all.values[0] ?? null;
  const before = (compares ? report.before?.totals?.all.values[0] : null) ?? null;
  const unit = unitOf(known, report.fields[0] ?? '');
  const format = createFormat(site.defaultLocale.replaceAll('_', '-'));
  return {
    value,
    before,
    crossed: isCrossed(alert, { value, before, unit }),
    shown: format.value(value, unit),
    shown_before: format.value(before, unit),
    shown_bound: boundText(alert.bound, unit, format),
    shown_range: rangesText(report, format),
  };
}
