import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { text } from '../../model/text/text.ts';
import { useQueued } from '../ask.ts';
import { useApp } from '../context.tsx';
import { Trouble } from '../trouble.tsx';
import { Button, Notice } from '../ui/ui.tsx';
import { KINDS } from './kinds.ts';
import { MailFrame } from './mail-frame.tsx';

interface ComputeNowProps<T> {
  readonly path: string;
  readonly label: string;
  readonly kind?: string; // class of the section
  readonly children: (data: T) => ComponentChildren; // shows what was computed
}

/** A button that has the service compute something as it is now, which takes its turn with reports. */
function ComputeNow<T>({ path, label, kind = '', children }: ComputeNowProps<T>): JSX.Element {
  const { api } = useApp();
  const [at, setAt] = useState<number | undefined>(); // each click asks anew
  const { data, error, busy } = useQueued<T>({
    slot: 'now',
    key: at === undefined ? undefined : `${path} ${at}`,
    send: async (signal) => (await api.ask<T>(path, { method: 'POST', body: {}, signal })).data,
  });
  return (
    <section class={`card stack ${kind}`} aria-label={label}>
      <p class="row">
        <Button onClick={() => setAt(performance.now())} disabled={busy}>
          {label}
        </Button>
        <span class="quiet small">{busy ? text.busy.running : text.mails.showHint}</span>
      </p>
      <Trouble error={error} />
      {data && children(data)}
    </section>
  );
}

interface Checked {
  readonly crossed: boolean | null; // null: a number is empty
  readonly before: number | null;
  readonly shown: string;
  readonly shown_before: string;
  readonly shown_bound: string;
  readonly shown_range: string;
}

/** Computes the number of an alert as it is now, and says whether it is beyond the bound. */
export function CheckNow({ id }: { readonly id: number }): JSX.Element {
  const words = text.alerts;
  return (
    <ComputeNow<Checked> path={`${KINDS.alerts.path}/${id}/check`} label={words.checkNow}>
      {({ crossed, before, shown, shown_before, shown_bound, shown_range }) => (
        <Notice kind={crossed === false ? 'good' : 'info'}>
          {words.checked(shown, before === null ? null : shown_before)},{' '}
          {crossed === null ? words.isEmpty : crossed ? words.isCrossed(shown_bound) : words.isCalm(shown_bound)}
          <br />
          {words.counted(shown_range)}
        </Notice>
      )}
    </ComputeNow>
  );
}

interface Mail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly attachments: readonly { readonly name: string; readonly content: string }[];
}

/** Makes the mail of a subscription as it would be now, and shows it. */
export function ShowMail({ id }: { readonly id: number }): JSX.Element {
  const words = text.mails;
  return (
    <ComputeNow<Mail> path={`${KINDS.mails.path}/${id}/mail`} label={words.show} kind="shown-mail">
      {({ subject, html, text: plain, attachments }) => (
        <>
          <p>
            <span class="quiet">{words.subject}: </span>
            <b dir="auto">{subject}</b>
          </p>
          <MailFrame subject={subject} html={html} />
          {attachments.length > 0 && (
            <p class="quiet small">
              {words.attached}: {text.listAnd(attachments.map(({ name }) => name))}
            </p>
          )}
          <details>
            <summary>{words.asText}</summary>
            <pre class="mail-text" tabIndex={0}>
              {plain}
            </pre>
          </details>
        </>
      )}
    </ComputeNow>
  );
}
