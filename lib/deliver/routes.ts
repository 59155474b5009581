import { R_INSIGHTS } from '../access/roles.ts';
import { show } from '../http/reply.ts';
import { type Route, route } from '../http/route.ts';
import { metaPartitions } from '../insights/meta.ts';
import type { ReportReader } from '../insights/report-engine.ts';
import { referencePartitions } from '../insights/site-reference.ts';
import { finderOf, routesOf } from '../resource/routes.ts';
import { keys } from '../store/keys.ts';
import { ALERTS } from './alert.ts';
import { checkAlert, checkShape } from './check.ts';
import { listDeliveries } from './deliveries.ts';
import { composeMail, mailShape } from './mail/compose.ts';
import { SUBSCRIPTIONS } from './subscription.ts';

const findSubscription = finderOf(SUBSCRIPTIONS);
const findAlert = finderOf(ALERTS);

/**
 * The routes of subscriptions and alerts. The two that compute reports are what deliveries are made by, too: they run
 * under the insights lock. `reader` reads the history; `lacks` are the settings that are missing for mails to be sent.
 */
export const createDeliverRoutes = (reader?: ReportReader, lacks: readonly string[] = []): readonly Route[] => [
  ...routesOf(SUBSCRIPTIONS),
  showMail(reader),
  ...routesOf(ALERTS),
  showCheck(reader),
  listDeliveries(lacks),
];

/** The collections that reports of boards read. */
export const reportPartitions = (site: string) => [
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

/** What the routes that compute reports have in common. */
const usual = {
  method: 'POST',
  roles: R_INSIGHTS,
  extension: true,
  exclusive: true,
  success: 200,
  example: {},
} as const;

const showMail = (reader?: ReportReader): Route =>
  route({
    ...usual,
    name: MAIL_ROUTE,
    summary: 'Make the mail of a subscription as of now, without sending it',
    path: `${SUBSCRIPTIONS.path}/{subscription_id}/mail`,
    reply: mailShape,
    reads: (site) => [keys.subscriptions(site), ...reportPartitions(site)],
    find: findSubscription,
    handle: async ({ context, resource }) => show(await composeMail(context, resource, reader)),
  });

export const CHECK_ROUTE = 'checkAlert';

const showCheck = (reader?: ReportReader): Route =>
  route({
    ...usual,
    name: CHECK_ROUTE,
    summary: 'Compute the number of an alert as of now, without sending anything',
    path: `${ALERTS.path}/{alert_id}/check`,
    reply: checkShape,
    reads: (site) => [keys.alerts(site), ...reportPartitions(site)],
    find: findAlert,
    handle: async ({ context, resource }) => show(await checkAlert(context, resource, reader)),
  });

export const deliverRoutes = createDeliverRoutes();
