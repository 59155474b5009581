import type { JSX } from 'preact';
import { highest } from '../../model/scale.ts';
import { text } from '../../model/text/text.ts';
import { Figure } from './frame.tsx';

interface Bar {
  readonly key: string;
  readonly name: string;
  readonly value: number | null;
  readonly before: number | null; // the value in the period before, drawn as a mark
}

interface BarsProps {
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly goal?: number | undefined; // drawn as a mark in each
  readonly valueText: (value: number | null) => string;
  readonly onPick: ((bar: number, at: HTMLElement) => void) | undefined;
}

/** Horizontal bars with names and numbers, which read like a list. */
export function BarsChart({ label, bars, goal, valueText, onPick }: BarsProps): JSX.Element {
  const top = highest([goal ?? 0, ...bars.flatMap(({ value, before }) => [value, before])]);
  const share = (value: number): string => `${top === 0 ? 0 : (100 * value) / top}%`;
  return (
    <Figure label={label}>
      <ol class="bars" aria-label={label}>
        {bars.map(({ key, name, value, before }, index) => (
          <li key={key}>
            <button type="button" disabled={!onPick} onClick={(event) => onPick?.(index, event.currentTarget)}>
              <span class="name" dir="auto">
                {name}
              </span>
              <span class="track">
                <span class="fill" style={{ width: share(value ?? 0) }} />
                {before !== null && <span class="mark" style={{ left: share(before) }} title={valueText(before)} />}
                {goal !== undefined && <span class="goal" style={{ left: share(goal) }} />}
              </span>
              <span class="number">{valueText(value)}</span>
            </button>
          </li>
        ))}
      </ol>
      {bars.some(({ before }) => before !== null) && <p class="quiet small key">{text.report.mark}</p>}
    </Figure>
  );
}
