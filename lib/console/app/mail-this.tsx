import type { JSX } from 'preact';
import { text } from '../model/text/text.ts';
import { href } from './location.ts';

interface MailThisProps {
  readonly board?: number;
  readonly saved_report?: number; // it or `board`
  readonly name?: string; // where several such links stand on a page
}

/** A link to the form of a mail, or of an alert, that is filled with what is on the screen. */
const formLink =
  (page: string, label: string) =>
  ({ name, ...what }: MailThisProps): JSX.Element => {
    const query = new URLSearchParams(Object.entries(what).map(([key, id]) => [key, String(id)]));
    return (
      <a
        class={name === undefined ? 'button plain' : 'button quiet'}
        href={href(`${page}/new`, query)}
        aria-label={name === undefined ? undefined : `${label}: ${name}`}
      >
        {label}
      </a>
    );
  };

export const MailThis = formLink('/mails', text.mails.mailThis);
export const WatchThis = formLink('/alerts', text.alerts.watchThis);
