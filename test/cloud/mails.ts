import { setTimeout as sleep } from 'node:timers/promises';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { CreateEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import * as z from 'zod';
import { overHttp } from '../support/service/http-ask.ts';
import type { AwsOptions } from './aws.ts';
import type { Client } from './client.ts';

/** The sender of a deployment whose mails are tried. */
export const SENDER = 'reports@support.example';

const MINUTE = 60_000; // ms
const CREATED_WITHIN = 60_000; // ms
const SENT_WITHIN = 180_000; // ms, once it is due
const TAKEN_WITHIN = 2_000; // ms, by the queue of sites
const TITLE = 'Cases of the cloud test';
const REPORT = {
  fields: ['case_creates'],
  time: { min: '2000-01-01T00:00:00Z', max: '2027-01-01T00:00:00Z', window_size: 'none' }, // live records come later
};
const MESSAGES = '/_ministack/ses/messages';

const sent = z.object({
  messages: z.record(
    z.string(), // an account
    z.array(z.object({ Source: z.string(), To: z.array(z.string()), Subject: z.string(), BodyText: z.string() })),
  ),
});

/** Who gets a mail, and who sends it. */
interface Mailbox {
  readonly client: Client;
  readonly aws: AwsOptions;
  readonly endpoint: string;
  readonly deliver: string; // the function
  readonly recipient: string;
}

/** Lets SES know the sender, and subscribes to a report. Returns when its first mail is due. */
export async function subscribe({ client, aws, recipient }: Mailbox): Promise<number> {
  await new SESv2Client(aws).send(new CreateEmailIdentityCommand({ EmailIdentity: SENDER }));
  const report = { name: TITLE, request: REPORT };
  const { id } = JSON.parse((await client.ask('POST', '/api/v2/saved_reports', report)).text);
  const due = Math.ceil((Date.now() + CREATED_WITHIN) / MINUTE) * MINUTE;
  const at = new Date(due).toISOString().slice(11, 16); // the site's zone is UTC
  await client.ask('POST', '/api/v2/subscriptions', { saved_report: id, every: 'day', at, recipients: [recipient] });
  return due;
}

/** Waits until the mail is due and lets the function of mails run, once more than needed: one mail must come. */
export async function receive(mailbox: Mailbox, due: number): Promise<void> {
  const { client, aws, deliver, recipient } = mailbox;
  const lambda = new LambdaClient(aws);
  const run = async (): Promise<void> => {
    const { FunctionError, Payload } = await lambda.send(
      new InvokeCommand({ FunctionName: deliver, Qualifier: 'live' }),
    );
    if (FunctionError) throw new Error(`${FunctionError}: ${Buffer.from(Payload ?? []).toString()}`);
  };
  if (Date.now() < due && (await mailsOf(mailbox)).length > 0) throw new Error('a mail came before it was due');
  await sleep(Math.max(0, due - Date.now()));
  while ((await mailsOf(mailbox)).length === 0) {
    if (Date.now() > due + SENT_WITHIN) throw new Error(`no mail reached ${recipient}`);
    await run();
    await sleep(TAKEN_WITHIN);
  }
  await run();
  await sleep(TAKEN_WITHIN);
  const [mail, ...more] = await mailsOf(mailbox);
  if (mail === undefined || more.length > 0) throw new Error(`${more.length + 1} mails`);
  const [[creates] = []] = await client.report(REPORT);
  const told = mail.BodyText.replaceAll(',', '');
  if (!mail.Subject.startsWith(TITLE) || !told.includes(String(creates)))
    throw new Error(`not of ${creates} cases: ${mail.Subject}\n${mail.BodyText}`);
}

/** What the emulator's SES took from our sender. */
async function mailsOf({ endpoint, recipient }: Mailbox) {
  const request = { method: 'GET', target: MESSAGES, headers: {}, host: new URL(endpoint).host };
  const { text } = await overHttp(endpoint, { ...request, body: Buffer.from('') });
  const all = Object.values(sent.parse(JSON.parse(text)).messages).flat();
  return all.filter(({ Source, To }) => Source === SENDER && To.includes(recipient));
}
