import type { JSX } from 'preact';
import { siteMoment } from '../../model/mail.ts';
import { text } from '../../model/text/text.ts';
import { useApp } from '../context.tsx';
import { type Resource, useResource } from '../edit/resource.ts';
import { Notice } from '../ui/ui.tsx';

/** What became of one subscription or alert. */
export interface Delivery {
  readonly subscription: number | null;
  readonly alert: number | null;
  readonly state: 'off' | 'waiting' | 'done' | 'failed';
  readonly next_at: string | null;
  readonly sent_at: string | null;
  readonly problem: string | null;
  readonly crossed: boolean | null;
  readonly ended: readonly { readonly login: string; readonly why: 'refused' | 'spam' | 'left' }[];
}

interface Deliveries {
  readonly lacks: readonly string[]; // settings without which no mail is sent
  readonly _embedded: { readonly entries: readonly Delivery[] };
}

const words = text.mails;

export const useDeliveries = (): Resource<Deliveries> => useResource<Deliveries>('/api/v2/deliveries');

/** What an engineer has to set before mails are sent; null if they are. */
export function Lacks({ deliveries }: { readonly deliveries: Deliveries | undefined }): JSX.Element | null {
  if (deliveries === undefined || deliveries.lacks.length === 0) return null;
  return (
    <Notice>
      <h2>{words.lacks}</h2>
      <p>{words.lacksHint}</p>
      <ul class="plain">
        {deliveries.lacks.map((name) => (
          <li key={name}>{words.lacking[name] ?? name}</li>
        ))}
      </ul>
      <p>{words.lacksMore}</p>
    </Notice>
  );
}

/** When something is due next and was sent last, and what went wrong. */
export function DeliveryState({ delivery }: { readonly delivery: Delivery | undefined }): JSX.Element | null {
  const { format, definitions } = useApp();
  if (delivery === undefined) return null;
  const { state, next_at, sent_at, problem, crossed, ended } = delivery;
  const moment = (at: string): string => siteMoment(at, definitions?.site.time_zone ?? 'UTC', format);
  return (
    <>
      <p class="tags">
        <span>{next_at === null ? words.off : words.next(moment(next_at))}</span>
        <span>{sent_at === null ? words.neverSent : words.sent(moment(sent_at))}</span>
        {crossed !== null && <span>{crossed ? text.alerts.crossed : text.alerts.calm}</span>}
      </p>
      {state === 'failed' && problem !== null && (
        <p class="fault" dir="auto">
          {words.failed(problem)}
        </p>
      )}
      {ended.map(({ login, why }) => (
        <p key={login} class="fault" dir="auto">
          {words.ended[why](login)}
        </p>
      ))}
    </>
  );
}
