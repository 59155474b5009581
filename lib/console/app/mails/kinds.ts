/** The two kinds of mails: where the API has them, how lists mark them, and how deliveries name them. */
export const KINDS = {
  mails: { path: '/api/v2/subscriptions', mark: '✉', of: 'subscription' },
  alerts: { path: '/api/v2/alerts', mark: '◬', of: 'alert' },
} as const;

export type Kind = keyof typeof KINDS;
