import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createComposedMails } from '../../lib/deliver/composed.ts';
import { type Deliverer, deliverDue } from '../../lib/deliver/deliver.ts';
import { linkOriginOf } from '../../lib/deliver/origin.ts';
import { smtpSend } from '../../lib/deliver/transport/smtp.ts';
import { describeError } from '../../lib/log.ts';
import { mailLimits, type Settings } from '../../lib/settings.ts';
import type { Table } from '../../lib/store/table.ts';
import { repeat } from './repeat.ts';

const EVERY = 30_000; // ms between two looks for mails that are due

/**
 * Sends the mails that are due while the service runs, if it has a mail server. Returns a function that stops it; a mail
 * that is being sent may be sent again by the next start.
 */
export function keepDelivering(
  table: Table,
  { SMTP_URL, MAIL_FROM, PUBLIC_URL, ATHENA_WORKGROUP }: Settings,
  { doTask, log, port }: Pick<Deliverer, 'doTask' | 'log'> & { readonly port: number },
): () => void {
  if (SMTP_URL === undefined || MAIL_FROM === undefined) {
    if (SMTP_URL !== undefined) log('warn', 'no mail is sent: SMTP_URL is set, MAIL_FROM is not');
    return () => undefined;
  }
  const tools: Deliverer = {
    table,
    doTask,
    log,
    clock: Date.now,
    newId: randomUUID,
    pause: (ms: number) => pause(ms),
    from: MAIL_FROM,
    composed: createComposedMails(),
    send: smtpSend(SMTP_URL),
    linkOriginOf: linkOriginOf(PUBLIC_URL ?? `http://localhost:${port}`),
    ...mailLimits({ ATHENA_WORKGROUP }),
  };
  return repeat(
    EVERY,
    () => deliverDue(tools),
    (error) => log('warn', 'mails put off', describeError(error)),
  );
}
