import { hash } from 'node:crypto';
import { escapeHtml, plainLine } from '../../text.ts';
import type { Mail } from './compose.ts';
import { WAY_OUT, wayOutHtml } from './html.ts';

/** A mail to one address. */
export interface MailMessage extends Mail {
  readonly from: string; // `Name <address>` or an address, from the settings
  readonly to: string; // an address
  readonly site: string; // name
  readonly messageId: string; // with its angle brackets; equal if the mail is sent again
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Sends a mail until `ending` aborts. `refused`: the address takes none. Rejects if another try may succeed, with
 * `MailServerDown` if it would be the same for every mail.
 */
export type Send = (message: MailMessage, ending: AbortSignal) => Promise<'sent' | 'refused'>;

/** No mail can be sent for now: the server is out of reach, too slow, or does not know the service. */
export class MailServerDown extends Error {}

/** Whom a mail goes to, and what tells it from others. */
export interface Addressed {
  readonly from: string;
  readonly to: string; // login
  readonly site: string; // name
  readonly identity: readonly string[]; // of what and of which due time: what a repeated mail has again
  readonly wayOut: string; // address of the page on which the recipient leaves
  readonly note: string; // a sentence at the end; empty: none
}

const LEAVE = 'Stop these mails to me';

/** Addresses a mail. Header lines lose what could begin another one. */
export function messageOf(mail: Mail, { from, to, site, identity, wayOut, note }: Addressed): MailMessage {
  const end = note === '' ? '' : ` ${note}`;
  return {
    ...mail,
    subject: headerText(mail.subject),
    html: mail.html.replace(WAY_OUT, () => `${escapeHtml(end)}${wayOutHtml(wayOut, LEAVE)}`),
    text: `${mail.text.trimEnd()}${end}\n${LEAVE}:\n${wayOut}\n`,
    from,
    to,
    site,
    messageId: `<${hash('sha256', JSON.stringify([site, ...identity, to]), 'hex').slice(0, 40)}@${domainOf(from)}>`,
    headers: {
      'Auto-Submitted': 'auto-generated', // RFC 3834: so that no absence note answers
      'X-Auto-Response-Suppress': 'All',
      'List-Unsubscribe': `<${wayOut}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click', // RFC 8058
    },
  };
}

const LONGEST_SUBJECT = 200; // characters

/** A text for a header: one line without control characters. */
const headerText = (text: string): string => [...plainLine(text)].slice(0, LONGEST_SUBJECT).join('');

/** The domain of the sender: `Reports <reports@acme.example>` → `acme.example`. */
const domainOf = (from: string): string => /@([^\s@<>]+?)>?\s*$/.exec(from)?.[1] ?? 'localhost';
