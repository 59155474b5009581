import type { Comparison } from './alert-kinds.ts';
import type { Format } from './format.ts';
import { stateOf } from './report/report-open.ts';
import { words as capitalised, text } from './text/text.ts';
import { localIn } from './zone.ts';

/** What subscriptions and alerts have in common, as the API shows them. */
export interface Owned {
  readonly id: number;
  readonly owner: string; // login
  readonly at: string; // `07:30` on the site's clock
  readonly recipients: readonly string[];
  readonly enabled: boolean;
}

/** A board or a saved report that is mailed regularly. */
export interface Subscription extends Owned {
  readonly board: number | null;
  readonly saved_report: number | null; // one of the two
  readonly every: 'day' | 'week' | 'month';
  readonly weekday: string;
  readonly day: number; // of the month
}

/** A number that is watched. */
export interface Alert extends Owned {
  readonly name: string;
  readonly saved_report: number;
  readonly comparison: Comparison;
  readonly bound: number; // in the field's unit; of `changed_by` percent, or points of a rate
  readonly check: 'hour' | 'day';
}

/** When a subscription is sent, in words. */
export const scheduleText = ({
  every,
  weekday,
  day,
  at,
}: Pick<Subscription, 'every' | 'weekday' | 'day' | 'at'>): string =>
  text.mails.schedule[every](at, capitalised(weekday), day);

/** The time of an instant on the clock of a site's zone. */
export const siteMoment = (at: string, zone: string, format: Format): string =>
  format.window(localIn(zone, at), 'hour');

/** Whether a saved request is a single number, as alerts need. */
export function isOneNumber(request: unknown): boolean {
  const { fields, by, and, per } = stateOf(request);
  return fields.length === 1 && by === null && and === null && per === 'none';
}
