import type { JSX } from 'preact';
import { changeOf, goodDirection } from '../model/change.ts';
import { unitOf } from '../model/fields.ts';
import { text } from '../model/text.ts';
import { useApp } from './context.tsx';

interface ChangeMarkProps {
  readonly field: string;
  readonly now: number | null;
  readonly before: number | null;
}

/** The change of a number since the period before: an arrow, how much, and in words and colour whether it is good. */
export function ChangeMark({ field, now, before }: ChangeMarkProps): JSX.Element {
  const { format, definitions } = useApp();
  const change = changeOf(now, before, unitOf(definitions, field), goodDirection(field));
  if (change === undefined) return <small class="change quiet">{text.overview.noChange}</small>;
  const { amount, verdict } = change;
  const shown = change.kind === 'points' ? text.overview.points(format.signed(amount)) : format.signedShare(amount);
  const word = verdict === 'flat' ? '' : ` ${text.overview[verdict]}`;
  return (
    <small class={`change ${verdict}`} title={text.overview.versus(shown)}>
      <span aria-hidden="true">{amount === 0 ? '→' : amount > 0 ? '↑' : '↓'} </span>
      {shown}
      {word}
      <span class="hidden"> {text.overview.versus('')}</span>
    </small>
  );
}
