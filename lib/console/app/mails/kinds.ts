import { text } from '../../model/text/text.ts';

/** The two kinds of mails: where the API has them, how lists mark them, and how deliveries name them. */
export const KINDS = {
  mails: { path: '/api/v2/subscriptions', mark: '✉', of: 'subscription' },
  alerts: { path: '/api/v2/alerts', mark: '◬', of: 'alert' },
} as const;

export type Kind = keyof typeof KINDS;

/** The name of what a mail shows, among the boards or saved reports that are there; `…` until they are read. */
export const nameAmong = (
  all: readonly { readonly id: number; readonly name: string }[] | undefined,
  id: number | null,
): string => (all === undefined ? '…' : (all.find((one) => one.id === id)?.name ?? text.mails.gone));
