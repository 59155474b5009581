import type { Send } from '../mail/message.ts';
import { mimeOf } from './mime.ts';

const TIMEOUTS = { connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 60_000 }; // ms

/** Sends mails by a mail server, `smtp://user:password@host:587` or `smtps://…`. The library is loaded with the first. */
export function smtpSend(url: string): Send {
  return async (message) => {
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({ url, ...TIMEOUTS });
    try {
      await transport.sendMail(mimeOf(message));
      return 'sent';
    } catch (error) {
      if (isRefusal(error)) return 'refused';
      throw error;
    } finally {
      transport.close();
    }
  };
}

/** Whether the server takes no mail for the address, for good (RFC 5321, 4.2.1): not a refusal of the sender or of the mail. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error &&
  'command' in error &&
  error.command === 'RCPT TO' &&
  'responseCode' in error &&
  Number(error.responseCode) >= 500;
