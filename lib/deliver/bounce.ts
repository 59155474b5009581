import * as z from 'zod';
import { type Ended, endAddress } from './ended.ts';

/** The tag by which a mail says to SES of which site it is. */
export const SITE_TAG = 'site';

/** The name of the configuration set of SES by which a stage sends. */
export const mailsOfStage = (stage: string): string => `support-service-${stage}`;

/** An event of SES, as EventBridge brings it. Each mail goes to one address. */
const event = z.object({
  source: z.literal('aws.ses'),
  detail: z.object({
    mail: z.object({
      messageId: z.string().optional(),
      timestamp: z.iso.datetime({ offset: true }),
      destination: z.tuple([z.string()]),
      tags: z.object({ [SITE_TAG]: z.tuple([z.string()]) }),
    }),
    bounce: z.object({ bounceType: z.string() }).optional(),
    complaint: z.object({ complaintFeedbackType: z.string().nullish() }).optional(),
  }),
});

/** Whether an event is of SES, and not of a schedule. */
export const isOfMail = (raw: unknown): boolean => Object(raw).source === 'aws.ses';

/** Of which mail of which site an event of SES tells, for a log line; empty if it is malformed. */
export function mailOf(raw: unknown): { readonly site?: string; readonly mail?: string | undefined } {
  const { data } = event.safeParse(raw);
  return data === undefined ? {} : { site: data.detail.mail.tags[SITE_TAG][0], mail: data.detail.mail.messageId };
}

/**
 * Ends what an address gets if SES says that it took a mail no more: its server refused it for good, or its owner reported
 * it as spam. What may pass (a full mailbox, a server that is away) ends nothing. Safe to be told of twice.
 */
export async function noteBounce(tools: Parameters<typeof endAddress>[0], raw: unknown): Promise<void> {
  const { mail, bounce, complaint } = event.parse(raw).detail;
  const why = whyEnded(bounce, complaint);
  if (why === undefined) return;
  const [login] = mail.destination;
  await endAddress(tools, mail.tags[SITE_TAG][0], { login, at: Date.parse(mail.timestamp), why });
}

function whyEnded(
  bounce: z.infer<typeof event>['detail']['bounce'],
  complaint: z.infer<typeof event>['detail']['complaint'],
): Ended['why'] | undefined {
  if (bounce?.bounceType === 'Permanent') return 'refused';
  return complaint !== undefined && complaint.complaintFeedbackType !== 'not-spam' ? 'spam' : undefined;
}
