import { MailServerDown, type Send } from '../mail/message.ts';
import { mimeOf } from './mime.ts';

export const TIMEOUTS = { connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 60_000 }; // ms

/** Sends mails by a mail server, `smtp://user:password@host:587` or `smtps://…`. The library is loaded with the first. */
export function smtpSend(url: string): Send {
  return async (message, signal) => {
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({ url, ...TIMEOUTS });
    try {
      await transport.sendMail({ ...mimeOf(message), signal });
      return 'sent';
    } catch (error) {
      if (isRefusal(error)) return 'refused';
      throw error instanceof Error && OF_SERVER.has(codeOf(error)) ? new MailServerDown(error.message) : error;
    } finally {
      transport.close();
    }
  };
}

/** Errors of the library that are of the connection or the sign-in, before any mail. */
const OF_SERVER = new Set(['ECONNECTION', 'ECONNREFUSED', 'ETIMEDOUT', 'ESOCKET', 'EDNS', 'ETLS', 'EAUTH', 'ENOAUTH']);

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '');

/** Replies to `RCPT TO` that are of the address (RFC 5321, 4.2.3), not of the sender, the mail or a full mailbox. */
const OF_ADDRESS = new Set([550, 551, 553]);
/** What such a reply says: the enhanced status of an address or a closed mailbox (RFC 3463, 3.2 and 3.3), or no status. */
const NO_MAILBOX = /^\d{3}[ -](?:5\.(?:1\.\d+|2\.1)\b|(?!\d\.\d|.*relay))/i;

/** Whether the server takes no mail for the address, for good. One that relays nothing is set up wrongly: that ends nobody. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error &&
  'command' in error &&
  error.command === 'RCPT TO' &&
  'responseCode' in error &&
  OF_ADDRESS.has(Number(error.responseCode)) &&
  'response' in error &&
  NO_MAILBOX.test(String(error.response));
