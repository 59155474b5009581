import type { CaseStatus } from '../../vocabulary.ts';

/** The options of an import of Zendesk's objects. */
export interface ZendeskOptions {
  readonly statuses: Readonly<Record<string, CaseStatus>>; // override `STATUSES`
  readonly automated: readonly number[]; // ids of users that are machines
  readonly withLogins: boolean; // agents become users
  readonly timeField: string | undefined; // title or id of the field that a time-tracking app fills
  readonly merged: 'keep' | 'skip'; // whether a ticket that is merged into another is closed, or deleted
  readonly rating: 'yes_no' | 'four_star'; // rating scale of the site
  readonly agents: readonly number[]; // ids of the site's agents
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

/** Our status for each of Zendesk's. `deleted` is no status here, but an event. */
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
export const MERGED_TAG = 'closed_by_merge';

/** The default source of all events from Zendesk's API; it is a log. */
export const ZENDESK_SOURCE = 'zendesk';
