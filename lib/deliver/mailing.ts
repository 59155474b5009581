import { keys } from '../store/keys.ts';
import type { Item, Table } from '../store/table.ts';
import { ALERTS, type Alert } from './alert.ts';
import type { Schedule } from './schedule.ts';
import { SUBSCRIPTIONS, type Subscription } from './subscription.ts';

/** A subscription or an alert. */
export type Mailing = { readonly alert: Alert } | { readonly subscription: Subscription };

const isAlert = (member: string): boolean => member.startsWith('alert#');

export const parseMailing = (item: Item): Mailing =>
  isAlert(item.sk) ? { alert: ALERTS.parse(item) } : { subscription: SUBSCRIPTIONS.parse(item) };

export const commonOf = (mailing: Mailing) => ('alert' in mailing ? mailing.alert : mailing.subscription);

export const scheduleOf = (mailing: Mailing): Schedule =>
  'alert' in mailing
    ? { every: mailing.alert.check, at: mailing.alert.at, weekday: 'monday', day: 1 }
    : mailing.subscription;

/** Reads a subscription or an alert by its sort key; undefined if it was removed. */
export async function readMailing(table: Table, site: string, member: string): Promise<Mailing | undefined> {
  const { pk } = isAlert(member) ? keys.alerts(site) : keys.subscriptions(site);
  const item = await table.get({ pk, sk: member });
  return item && parseMailing(item);
}
