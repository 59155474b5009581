import type { Site } from '../../access/sites.ts';
import type { Alert } from '../alert.ts';
import type { PendingMail } from '../delivery.ts';
import type { Mail } from './compose.ts';
import { htmlOf } from './html.ts';
import { plainOf } from './plain.ts';

const BOUNDS = { above: 'above', below: 'below', changed_by: 'changed by more than' } as const;

/** The mail of an alert that begins or ends, from what was decided then: a repeated one is the same. */
export function alertMail(
  site: Site,
  origin: string,
  alert: Alert,
  { begins, shown, shown_before, shown_bound }: PendingMail,
): Mail {
  const { name, comparison, saved_report, owner } = alert;
  const rule = `${BOUNDS[comparison]} ${shown_bound}`;
  const state = begins ? 'Alert' : 'Over';
  const before = comparison === 'changed_by' ? `, in the period before ${shown_before}` : '';
  const sentence = begins
    ? `The number is ${rule}: ${shown}${before}. You get another mail when it is back.`
    : `The number is no longer ${rule}: ${shown}${before}.`;
  const content = {
    title: `${state}: ${name}`,
    lead: [sentence],
    sections: [{ kind: 'numbers', numbers: [{ label: name, value: shown }] } as const],
    link: { href: `${origin}/console/saved/${saved_report}`, label: 'Open the report' },
    why: `${owner} watches this number for you on ${site.title}.`,
  };
  return { subject: content.title, html: htmlOf(content), text: plainOf(content), attachments: [] };
}
