import { randomUUID as newId } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import type { ScheduledEvent, SQSEvent } from 'aws-lambda';
import * as z from 'zod';
import { isOfMail, mailOf, mailsOfStage, noteBounce, SITE_TAG } from '../lib/deliver/bounce.ts';
import { createComposedMails } from '../lib/deliver/composed.ts';
import { deliverDue, sitesWithDue } from '../lib/deliver/deliver.ts';
import type { Send } from '../lib/deliver/mail/message.ts';
import { linkOriginOf } from '../lib/deliver/origin.ts';
import { createDeliverRoutes } from '../lib/deliver/routes.ts';
import { rawMail } from '../lib/deliver/transport/raw.ts';
import { createTasks } from '../lib/http/task.ts';
import { mailLimits } from '../lib/settings.ts';
import { AWS_CALLS } from '../lib/store/client.ts';
import { reader } from './engine.ts';
import { doEach, doNamed } from './letters.ts';
import { sendMessages } from './queues.ts';
import { table } from './table.ts';
import { ATHENA_WORKGROUP, log, logMetrics, MAIL_FROM, MAIL_URL, PUBLIC_URL, stage } from './wiring.ts';

const TRIES = 20; // of a mail that SES takes later; the minute that a mail may take ends them (lib/deliver/deliver.ts)

/** Functions side by side share the account's rate: each slows down and waits when SES says that it is reached. */
const ses = new SESv2Client({ retryMode: 'adaptive', maxAttempts: TRIES, requestHandler: AWS_CALLS });
const tools = { table, log, clock: Date.now, newId };
const composed = createComposedMails();
const doTask = createTasks({ ...tools, routes: createDeliverRoutes(reader) });

/** Sends by SES. What fails is tried again by the next run, and a repeated mail has its `Message-ID`. */
const send: Send = async (message, abortSignal) => {
  const Data = await rawMail(message);
  await ses.send(
    new SendEmailCommand({
      FromEmailAddress: message.from,
      Destination: { ToAddresses: [message.to] },
      Content: { Raw: { Data } },
      ConfigurationSetName: mailsOfStage(stage),
      EmailTags: [{ Name: SITE_TAG, Value: message.site }],
    }),
    { abortSignal },
  );
  return 'sent';
};

/** A message of the queue of mails. */
const message = z.object({ site: z.string() });

/**
 * The schedule sends a message for each site that a mail is due of; such a message sends the mails of its site, side by
 * side with those of others. An event of SES tells of a mail that an address did not take.
 */
export async function handler(event: SQSEvent | ScheduledEvent): Promise<void> {
  if (isOfMail(event)) return doNamed('bounce not noted', mailOf(event), () => noteBounce(tools, event));
  if (!('Records' in event)) return sendDue();
  await doEach(event.Records, ({ body }) => deliverOf(message.parse(JSON.parse(body)).site));
}

async function sendDue(): Promise<void> {
  if (MAIL_URL === undefined) throw new Error('MAIL_URL is not set');
  const because = newId(); // two runs are not taken for one
  const due = await sitesWithDue(tools);
  await sendMessages(
    MAIL_URL,
    due.map((site) => ({ group: site, body: { site, because } })),
  );
  log('info', 'mails due', { sites: due.length });
}

async function deliverOf(site: string): Promise<void> {
  if (MAIL_FROM === undefined || PUBLIC_URL === undefined) throw new Error('MAIL_FROM and PUBLIC_URL are not set');
  const counts = await deliverDue(
    {
      ...{ ...tools, doTask, send, composed, from: MAIL_FROM, linkOriginOf: linkOriginOf(PUBLIC_URL) },
      ...mailLimits({ ATHENA_WORKGROUP }),
      pause: (ms) => pause(ms),
    },
    [site],
  );
  logMetrics('mails', { sent: 'Count', putOff: 'Count' }, { site, sent: counts.sent, putOff: counts.failed });
}
