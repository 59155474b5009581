import type { CaseStatus } from '../../../vocabulary.ts';

/** What an import of Zendesk's objects is told beside them. */
export interface ZendeskOptions {
  readonly statuses: Readonly<Record<string, CaseStatus>>; // instead of those of `STATUSES`
  readonly automated: readonly number[]; // ids of users who are machines
  readonly withLogins: boolean; // agents become users
  readonly timeField: string | undefined; // title or id of the field that a time-tracking app fills
  readonly merged: 'keep' | 'skip'; // what becomes of the close of a ticket that is merged into another
  readonly rating: 'yes_no' | 'four_star'; // how the site rates
  readonly agents: readonly number[]; // of the site
}

export const ZENDESK_DEFAULTS: ZendeskOptions = {
  statuses: {},
  automated: [],
  withLogins: false,
  timeField: undefined,
  merged: 'keep',
  rating: 'yes_no',
  agents: [],
};

/** Zendesk's statuses as ours. `deleted` is no status here, but an event. */
export const STATUSES: Readonly<Record<string, CaseStatus | 'deleted'>> = {
  new: 'new',
  open: 'open',
  pending: 'pending',
  hold: 'open',
  solved: 'resolved',
  closed: 'closed',
  deleted: 'deleted',
};

export const PRIORITIES: Readonly<Record<string, number>> = { low: 2, normal: 5, high: 8, urgent: 10 };

/** The tag of a ticket that was merged into another. */
export const MERGED = 'closed_by_merge';

/** The source of all events that come from Zendesk's own interfaces: a log. */
export const SOURCE = 'zendesk';
