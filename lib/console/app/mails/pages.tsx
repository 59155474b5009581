import type { JSX } from 'preact';
import { Alerts } from './alert.tsx';
import type { Kind } from './kinds.ts';
import { Subscriptions } from './subscription.tsx';

interface MailsProps {
  readonly kind: Kind;
  readonly id: string | undefined; // undefined for the list
  readonly query: URLSearchParams;
}

/** The pages of mails and alerts, loaded when one of them is opened. */
export const Mails = ({ kind, ...rest }: MailsProps): JSX.Element =>
  kind === 'mails' ? <Subscriptions {...rest} /> : <Alerts {...rest} />;
