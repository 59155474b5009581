import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { text } from '../../model/text.ts';
import { useQueued } from '../ask.ts';
import { useApp } from '../context.tsx';
import { Trouble } from '../trouble.tsx';
import { Button, Notice } from '../ui.tsx';
import { KINDS } from './kinds.ts';

interface Checked {
  readonly crossed: boolean | null; // null: a number is empty
  readonly before: number | null;
  readonly shown: string;
  readonly shown_before: string;
  readonly shown_bound: string;
}

const words = text.alerts;

/** Computes the number of an alert as it is now, and says whether it is beyond the bound. */
export function CheckNow({ id }: { readonly id: number }): JSX.Element {
  const { api } = useApp();
  const [at, setAt] = useState<number | undefined>(); // each click asks anew
  const { data, error, busy } = useQueued<Checked>({
    slot: 'check',
    key: at === undefined ? undefined : `check ${id} ${at}`,
    send: async (signal) =>
      (await api.ask<Checked>(`${KINDS.alerts.path}/${id}/check`, { method: 'POST', body: {}, signal })).data,
  });
  return (
    <section class="card stack" aria-label={words.checkNow}>
      <p class="row">
        <Button onClick={() => setAt(performance.now())} disabled={busy}>
          {words.checkNow}
        </Button>
        <span class="quiet small">{busy ? text.busy.running : text.mails.showHint}</span>
      </p>
      <Trouble error={error} />
      {data && (
        <Notice kind={data.crossed === false ? 'good' : 'info'}>
          {words.checked(data.shown, data.before === null ? null : data.shown_before)},{' '}
          {data.crossed === null
            ? words.isEmpty
            : data.crossed
              ? words.isCrossed(data.shown_bound)
              : words.isCalm(data.shown_bound)}
        </Notice>
      )}
    </section>
  );
}
