import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { unitOf } from '../model/fields.ts';
import { type ByChance, datesText } from '../model/report/report.ts';
import { type ReportState, writeReportState } from '../model/report/report-state.ts';
import {
  type ChangedNumber,
  type ChangesReply,
  movedText,
  questionOf,
  silentDimensions,
  type WhyPart,
  whyParts,
} from '../model/report/why.ts';
import { text } from '../model/text/text.ts';
import { useQueued } from './ask.ts';
import { useApp } from './context.tsx';
import { href } from './location.ts';
import { Trouble } from './trouble.tsx';
import { Dialog } from './ui/dialog.tsx';
import { Button, Skeleton } from './ui/ui.tsx';

interface WhyProps extends ChangedNumber {
  readonly byChance: ByChance | undefined;
  readonly onClose: () => void;
}

/** Asks and shows why a number moved, above the page. */
export const Why = ({ onClose, ...number }: WhyProps): JSX.Element => (
  <Dialog title={text.why.ask} onClose={onClose}>
    <Reasons {...number} />
    <p class="row end">
      <Button onClick={onClose}>{text.why.close}</Button>
    </p>
  </Dialog>
);

const FIRST = 4; // dimensions, and members of each, that are shown at first
const MOST = 50; // members of each that are shown at all

/** Why a number moved: the members that add most to its change, each of which leads to its cases. */
function Reasons({ byChance, ...number }: Omit<WhyProps, 'onClose'>): JSX.Element {
  const { api, definitions, names, format } = useApp();
  const [isWhole, setWhole] = useState(false);
  const zone = definitions?.site.time_zone;
  const question = questionOf(number, names, zone);
  const { data, error, again } = useQueued<ChangesReply>({
    ...{ slot: 'why', isFirst: true, key: question && `why ${JSON.stringify(question.body)}` },
    send: async (signal) =>
      (await api.ask<ChangesReply>('/api/v2/insights3/changes', { method: 'POST', body: question?.body, signal })).data,
  });
  if (error !== undefined) return <Trouble error={error} onAgain={again} />;
  if (question === undefined) return <p class="quiet">{text.why.nothing}</p>;
  if (data === undefined) return <Skeleton tall />;
  const { state, ranges } = question;
  const field = state.fields[0] ?? '';
  const unit = unitOf(definitions, field);
  const parts = whyParts(data, unit, names, format);
  const silent = silentDimensions(data, parts);
  const shown = isWhole ? parts : parts.slice(0, FIRST);
  const isCut = parts.length > FIRST || parts.some(({ lines }) => lines.length > FIRST);
  return (
    <div class="why">
      <p>
        <strong>{names.field(field)}</strong> {movedText(data, byChance, unit, format)}
      </p>
      <p class="quiet small">{datesText({ ...ranges, zone: number.report.zone }, format, zone)}</p>
      {parts.length === 0 && <p class="quiet">{text.why.nothing}</p>}
      {shown.map((part) => (
        <Part key={part.dimension} {...part} state={state} most={isWhole ? MOST : FIRST} />
      ))}
      {isCut && !isWhole ? (
        <Button onClick={() => setWhole(true)}>{text.why.more}</Button>
      ) : (
        silent.length > 0 && (
          <ul class="quiet small">
            <li>{text.why.silent(text.listAnd(silent.map(({ dimension }) => names.label(dimension))))}</li>
            {silent.map(({ dimension, sentence }) => sentence && <li key={dimension}>{sentence}</li>)}
          </ul>
        )
      )}
    </div>
  );
}

interface PartProps extends WhyPart {
  readonly state: ReportState; // of the number
  readonly most: number; // members
}

/** What the members of a dimension add, what goes down to the left of the middle. */
function Part({ dimension, overlaps, lines, state, most }: PartProps): JSX.Element {
  const { names, format } = useApp();
  const left = lines.length - most;
  const middle = lines.some(({ adds }) => adds < 0) ? 50 : 0; // %
  return (
    <section>
      <h3>{names.label(dimension)}</h3>
      <ol class="bars">
        {lines.slice(0, most).map(({ id, name, numbers, adds, size }) => (
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
              <span
                class={adds < 0 ? 'fill less' : 'fill'}
                style={{ left: `${adds < 0 ? middle * (1 - size) : middle}%`, width: `${(100 - middle) * size}%` }}
              />
            </span>
            <span class="number">{numbers}</span>
          </li>
        ))}
      </ol>
      {left > 0 && <p class="quiet small">{text.why.left(format.count(left))}</p>}
      {overlaps && <p class="quiet small">{text.why.overlaps}</p>}
    </section>
  );
}
