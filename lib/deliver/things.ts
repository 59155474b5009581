import { keys } from '../store/keys.ts';
import type { Item, Table } from '../store/table.ts';
import { type Alert, parseAlert } from './alert.ts';
import type { Schedule } from './schedule.ts';
import { parseSubscription, type Subscription } from './subscription.ts';

/** A subscription or an alert. */
export type Thing = { readonly alert: Alert } | { readonly subscription: Subscription };

const isAlert = (member: string): boolean => member.startsWith('alert#');

export const thingOf = (item: Item): Thing =>
  isAlert(item.sk) ? { alert: parseAlert(item) } : { subscription: parseSubscription(item) };

export const commonOf = (thing: Thing) => ('alert' in thing ? thing.alert : thing.subscription);

export const scheduleOf = (thing: Thing): Schedule =>
  'alert' in thing ? { every: thing.alert.check, at: thing.alert.at, weekday: 'monday', day: 1 } : thing.subscription;

/** Reads a subscription or an alert by its sort key; undefined if it was removed. */
export async function readThing(table: Table, site: string, member: string): Promise<Thing | undefined> {
  const { pk } = isAlert(member) ? keys.alerts(site) : keys.subscriptions(site);
  const item = await table.get({ pk, sk: member });
  return item && thingOf(item);
}
