import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { text } from '../../model/text.ts';
import { useQueued } from '../ask.ts';
import { useApp } from '../context.tsx';
import { Trouble } from '../trouble.tsx';
import { Button } from '../ui.tsx';
import { KINDS } from './kinds.ts';
import { MailFrame } from './mail-frame.tsx';

interface Mail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly attachments: readonly { readonly name: string; readonly content: string }[];
}

const words = text.mails;

/** Makes the mail of a subscription as it would be now, and shows it. */
export function ShowMail({ id }: { readonly id: number }): JSX.Element {
  const { api } = useApp();
  const [at, setAt] = useState<number | undefined>(); // each click asks anew
  const { data, error, busy } = useQueued<Mail>({
    slot: 'mail',
    key: at === undefined ? undefined : `mail ${id} ${at}`,
    send: async (signal) =>
      (await api.ask<Mail>(`${KINDS.mails.path}/${id}/mail`, { method: 'POST', body: {}, signal })).data,
  });
  return (
    <section class="card stack shown-mail" aria-label={words.show}>
      <p class="row">
        <Button onClick={() => setAt(performance.now())} disabled={busy}>
          {words.show}
        </Button>
        <span class="quiet small">{busy ? text.busy.running : words.showHint}</span>
      </p>
      <Trouble error={error} />
      {data && (
        <>
          <p>
            <span class="quiet">{words.subject}: </span>
            <b dir="auto">{data.subject}</b>
          </p>
          <MailFrame subject={data.subject} html={data.html} />
          {data.attachments.length > 0 && (
            <p class="quiet small">
              {words.attached}: {text.listAnd(data.attachments.map(({ name }) => name))}
            </p>
          )}
          <details>
            <summary>{words.asText}</summary>
            <pre class="mail-text" tabIndex={0}>
              {data.text}
            </pre>
          </details>
        </>
      )}
    </section>
  );
}
