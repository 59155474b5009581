import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { findField } from '../model/fields.ts';
import { changeOf, changeText } from '../model/report/change.ts';
import type { ByChance } from '../model/report/report.ts';
import type { ChangedNumber } from '../model/report/why.ts';
import { text } from '../model/text/text.ts';
import { useDisplay } from './context.tsx';
import { later } from './later.tsx';

const Why = later(async () => (await import('./why.tsx')).Why);

interface ChangeMarkProps {
  readonly field: string;
  readonly now: number | null;
  readonly before: number | null;
  readonly byChance: ByChance | undefined;
  readonly ranges: string; // in words
  readonly number: ChangedNumber | undefined; // undefined: nobody may ask why
}

/** The change of a number since the period before: an arrow, how much, and in words and colour whether it is good. */
export function ChangeMark({ field, now, before, byChance, ranges, number }: ChangeMarkProps): JSX.Element {
  const { format, definitions } = useDisplay();
  const [asking, setAsking] = useState(false);
  const definition = definitions && findField(definitions, field);
  const change = definition && changeOf(now, before, byChance, definition);
  if (definition === undefined || change === undefined)
    return (
      <small class="change quiet" title={ranges}>
        {text.overview.noChange}
      </small>
    );
  const { amount, verdict } = change;
  const mark = (
    <small class={`change ${verdict}`} title={ranges}>
      <span aria-hidden="true">{amount === 0 || verdict === 'same' ? '→' : amount > 0 ? '↑' : '↓'} </span>
      {changeText(change, format)}
      <span class="hidden"> {text.overview.versus}</span>
    </small>
  );
  if (now === before || number === undefined) return mark;
  return (
    <>
      {mark}
      <button
        type="button"
        class="button plain small"
        aria-label={text.why.askOf(definition.title)}
        onClick={() => setAsking(true)}
      >
        {text.why.ask}
      </button>
      {asking && <Why {...number} byChance={byChance} onClose={() => setAsking(false)} />}
    </>
  );
}
