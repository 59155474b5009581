import * as z from 'zod';
import { unitOf } from '../console/model/fields.ts';
import { createFormat } from '../console/model/format.ts';
import { boundText } from '../console/model/mail.ts';
import type { Context } from '../context.ts';
import { oneFault } from '../errors.ts';
import type { HistoryReader } from '../history/read.ts';
import { definitions, siteDefinition } from '../insights/definitions/definitions.ts';
import { readRequest } from '../insights/request.ts';
import { requestOf, savedReportIn } from '../insights/saved/saved-report.ts';
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
  });

/** The number of an alert, as it is now. */
export type Checked = Readonly<z.infer<ReturnType<typeof checkShape>>>;

/** Computes the number of an alert. Throws `not_found` if its report was removed, and `invalid` if that has become more than a number. */
export async function checkAlert(context: Context, alert: Alert, reader?: HistoryReader): Promise<Checked> {
  const { site, now } = context;
  const { items } = await context.open(keys.savedReports(site.name));
  const saved = requestOf(savedReportIn(items, alert.saved_report));
  const compares = alert.comparison === 'changed_by';
  const time = { ...Object(saved.time), ...(compares ? { compare: 'previous_period' } : {}) };
  if (!isOneNumber(readRequest(saved, site, now)))
    throw oneFault('invalid', ['saved_report'], 'The saved report of the alert has more than one number by now.');
  const { report } = await reportForMail(context, { ...saved, time, totals: true }, reader);
  const value = report.totals?.all.values[0] ?? null;
  const before = (compares ? report.before?.totals?.all.values[0] : null) ?? null;
  const known = { ...definitions(), site: siteDefinition(site) };
  const unit = unitOf(known, report.fields[0] ?? '');
  const format = createFormat(site.defaultLocale.replaceAll('_', '-'));
  return {
    value,
    before,
    crossed: isCrossed(alert, { value, before, unit }),
    shown: format.value(value, unit),
    shown_before: format.value(before, unit),
    shown_bound: boundText(alert.comparison, alert.bound, unit, format),
  };
}

/**
 * Whether a number is beyond the bound; null if it is empty: nothing is neither much nor little. A change is measured in
 * percent of the number before (empty if that is 0), of a rate in points, up and down alike.
 */
export function isCrossed(
  { comparison, bound }: Pick<Alert, 'comparison' | 'bound'>,
  { value, before, unit }: Pick<Checked, 'value' | 'before'> & { readonly unit: string },
): boolean | null {
  if (value === null) return null;
  if (comparison === 'above') return value > bound;
  if (comparison === 'below') return value < bound;
  if (before === null) return null;
  if (unit === 'percent') return Math.abs(value - before) > bound;
  return before === 0 ? null : (100 * Math.abs(value - before)) / Math.abs(before) > bound;
}
