import * as z from 'zod';
import { R_INSIGHTS } from '../access/roles.ts';
import type { HistoryReader } from '../history/read.ts';
import { show } from '../http/reply.ts';
import { type Route, route } from '../http/route.ts';
import { metaPartitions } from '../insights/meta.ts';
import { referencePartitions } from '../insights/site-reference.ts';
import { keys } from '../store/keys.ts';
import { ALERTS_PATH, alertRoutes, findAlert } from './alert.ts';
import { checkAlert } from './check.ts';
import { listDeliveries } from './deliveries.ts';
import { composeMail } from './mail/compose.ts';
import { findSubscription, SUBSCRIPTIONS_PATH, subscriptionRoutes } from './subscription.ts';

/**
 * The routes of subscriptions and alerts. The two that compute reports are what deliveries are made by, too: they run
 * under the insights lock. `reader` reads the history; `lacks` are the settings that are missing for mails to be sent.
 */
export const createDeliverRoutes = (reader?: HistoryReader, lacks: readonly string[] = []): readonly Route[] => [
  ...subscriptionRoutes,
  showMail(reader),
  ...alertRoutes,
  showCheck(reader),
  listDeliveries(lacks),
];

const reportPartitions = (site: string) => [
  ...new Map(
    [
      keys.savedReports(site),
      keys.boards(site),
      keys.history(site),
      ...metaPartitions(site),
      ...referencePartitions(site),
    ].map((partition) => [partition.pk, partition]),
  ).values(),
];

export const MAIL_ROUTE = 'showSubscriptionMail';

const mailShape = () =>
  z.object({
    subject: z.string(),
    html: z.string(),
    text: z.string(),
    attachments: z.array(z.object({ name: z.string(), content: z.string().meta({ description: 'CSV' }) })),
  });

const showMail = (reader?: HistoryReader): Route =>
  route({
    name: MAIL_ROUTE,
    summary: 'Make the mail of a subscription as of now, without sending it',
    method: 'POST',
    path: `${SUBSCRIPTIONS_PATH}/{subscription_id}/mail`,
    roles: R_INSIGHTS,
    extension: true,
    exclusive: true,
    success: 200,
    example: {},
    reply: mailShape,
    reads: (site) => [keys.subscriptions(site), ...reportPartitions(site)],
    find: findSubscription,
    handle: async ({ context, resource }) => show({ ...(await composeMail(context, resource, reader)) }),
  });

export const CHECK_ROUTE = 'checkAlert';

const checkShape = () =>
  z.object({
    value: z.number().nullable(),
    before: z.number().nullable().meta({ description: 'In the period before; null unless it is compared' }),
    crossed: z.boolean().nullable().meta({ description: 'null if a number is empty: nothing can be said' }),
    shown: z.string().meta({ description: 'The value for people' }),
    shown_before: z.string(),
    shown_bound: z.string().meta({ description: 'The bound, likewise' }),
  });

const showCheck = (reader?: HistoryReader): Route =>
  route({
    name: CHECK_ROUTE,
    summary: 'Compute the number of an alert as of now, without sending anything',
    method: 'POST',
    path: `${ALERTS_PATH}/{alert_id}/check`,
    roles: R_INSIGHTS,
    extension: true,
    exclusive: true,
    success: 200,
    example: {},
    reply: checkShape,
    reads: (site) => [keys.alerts(site), ...reportPartitions(site)],
    find: findAlert,
    handle: async ({ context, resource }) => show({ ...(await checkAlert(context, resource, reader)) }),
  });

export const deliverRoutes = createDeliverRoutes();
