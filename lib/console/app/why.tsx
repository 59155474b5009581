import type { JSX } from 'preact';
import { unitOf } from '../model/fields.ts';
import { writeReportState } from '../model/report/report-state.ts';
import { type ChangedNumber, type ChangesReply, questionOf, whyParts } from '../model/report/why.ts';
import { text } from '../model/text/text.ts';
import { useQueued } from './ask.ts';
import { useApp } from './context.tsx';
import { href } from './location.ts';
import { Trouble } from './trouble.tsx';
import { Dialog } from './ui/dialog.tsx';
import { Button, Skeleton } from './ui/ui.tsx';

/** Asks and shows why a number moved, above the page. */
export const Why = ({ onClose, ...number }: ChangedNumber & { readonly onClose: () => void }): JSX.Element => (
  <Dialog title={text.why.ask} onClose={onClose}>
    <Reasons {...number} />
    <p class="row end">
      <Button onClick={onClose}>{text.why.close}</Button>
    </p>
  </Dialog>
);

/** Why a number moved: the members that add most to its change, each of which leads to its cases. */
function Reasons(number: ChangedNumber): JSX.Element {
  const { api, definitions, names, format } = useApp();
  const { state, body } = questionOf(number, names, definitions?.site.time_zone) ?? {
    state: number.state,
    body: undefined,
  };
  const field = state.fields[0] ?? '';
  const unit = unitOf(definitions, field);
  const { data, error, again } = useQueued<ChangesReply>({
    ...{ slot: 'why', isFirst: true, key: body && `why ${JSON.stringify(body)}` },
    send: async (signal) =>
      (await api.ask<ChangesReply>('/api/v2/insights3/changes', { method: 'POST', body, signal })).data,
  });
  if (error !== undefined) return <Trouble error={error} onAgain={again} />;
  if (body === undefined) return <p class="quiet">{text.why.nothing}</p>;
  if (data === undefined) return <Skeleton tall />;
  const parts = whyParts(data, unit, names, format);
  return (
    <div class="why">
      <p>
        <strong>{names.field(field)}</strong>{' '}
        {text.why.moved(format.value(data.before.value, unit), format.value(data.now.value, unit))}
      </p>
      {parts.length === 0 && <p class="quiet">{text.why.nothing}</p>}
      {parts.map(({ dimension, overlaps, lines }) => (
        <section key={dimension}>
          <h3>{names.label(dimension)}</h3>
          <ol class="bars">
            {lines.map(({ id, name, numbers, size }) => (
              <li key={String(id)} class="line">
                <span class="name" dir="auto">
                  {id === null ? (
                    name
                  ) : (
                    <a href={href('/cases', writeReportState({ ...state, by: dimension, byValues: [String(id)] }))}>
                      {name}
                    </a>
                  )}
                </span>
                <span class="track">
                  <span class="fill" style={{ width: `${100 * size}%` }} />
                </span>
                <span class="number">{numbers}</span>
              </li>
            ))}
          </ol>
          {overlaps && <p class="quiet small">{text.why.overlaps}</p>}
        </section>
      ))}
    </div>
  );
}
