import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { isOfMail, mailsOfStage, noteBounce, SITE_TAG } from '../lib/deliver/bounce.ts';
import { deliverDue } from '../lib/deliver/deliver.ts';
import type { Send } from '../lib/deliver/mail/message.ts';
import { linkOriginOf } from '../lib/deliver/origin.ts';
import { createDeliverRoutes } from '../lib/deliver/routes.ts';
import { rawMail } from '../lib/deliver/transport/raw.ts';
import { createTasks } from '../lib/http/task.ts';
import { LIMITS } from '../lib/settings.ts';
import { table } from './table.ts';
import { log, logMetrics, MAIL_FROM, PUBLIC_URL, stage } from './wiring.ts';

const ses = new SESv2Client();
const tools = { table, log, clock: Date.now, newId: randomUUID };
const doTask = createTasks({ ...tools, routes: createDeliverRoutes() });

/** Sends by SES, with one try: the next run tries again, and a repeated mail has its `Message-ID`. */
const send: Send = async (message) => {
  const Data = await rawMail(message);
  await ses.send(
    new SendEmailCommand({
      FromEmailAddress: message.from,
      Destination: { ToAddresses: [message.to] },
      Content: { Raw: { Data } },
      ConfigurationSetName: mailsOfStage(stage),
      EmailTags: [{ Name: SITE_TAG, Value: message.site }],
    }),
  );
  return 'sent';
};

/** Sends the mails that are due, of all sites; or hears of one that an address did not take. */
export async function handler(event: unknown): Promise<void> {
  if (isOfMail(event)) return noteBounce(tools, event);
  if (MAIL_FROM === undefined || PUBLIC_URL === undefined) throw new Error('MAIL_FROM and PUBLIC_URL are not set');
  const counts = await deliverDue({
    ...{ ...tools, doTask, send, from: MAIL_FROM, linkOriginOf: linkOriginOf(PUBLIC_URL), ...LIMITS },
    pause: (ms) => pause(ms),
  });
  logMetrics('mails', { sent: 'Count', failed: 'Count' }, { ...counts });
}
