import type { Site } from '../../access/site-fields.ts';
import { ALERT_KINDS } from '../../console/model/alert-kinds.ts';
import { NOTHING } from '../../console/model/format.ts';
import type { Alert } from '../alert.ts';
import type { PendingMail } from '../delivery.ts';
import type { Mail } from './compose.ts';
import { htmlOf } from './html.ts';
import { plainOf } from './plain.ts';

/** The mail of an alert that begins or ends, from what was decided then: a repeated one is the same. */
export function alertMail(
  site: Site,
  origin: string,
  alert: Alert,
  { begins, shown, shown_before, shown_bound, shown_range, shown_period, why }: PendingMail,
): Mail {
  const { name, comparison, saved_report, owner } = alert;
  const { mailed } = ALERT_KINDS[comparison];
  const rule = `${mailed} ${shown_bound}`;
  const state = begins ? 'Alert' : 'Over';
  const before = shown_before === NOTHING ? '' : `, in the period before ${shown_before}`;
  const sentence = begins
    ? `The number is ${rule}: ${shown}${before}. You get another mail when it is back.`
    : `The number is no longer ${rule}: ${shown}${before}.`;
  const content = {
    title: `${state}: ${name}`,
    lead: [sentence, ...(shown_range === '' ? [] : [`${shown_range}. Times as in ${site.timeZone}.`])],
    sections: [{ kind: 'numbers', numbers: [{ label: name, value: shown, why }] } as const],
    link: { href: `${origin}/console/saved/${saved_report}`, label: 'Open the report' },
    why: `${owner} watches this number for you on ${site.title}.`,
  };
  const period = shown_period === '' ? '' : ` – ${shown_period}`;
  const subject = `${state}: ${name} ${shown}, ${begins ? '' : 'no longer '}${rule}${period}`;
  return { subject, html: htmlOf(content), text: plainOf(content), attachments: [] };
}
