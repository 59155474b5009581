import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { largestRun } from '../../model/scale.ts';
import { text } from '../../model/text/text.ts';
import { Check } from '../ui/fields.tsx';
import { ScrollBox } from '../ui/scroll-box.tsx';

interface HeatProps {
  readonly label: string;
  readonly corner: string;
  readonly down: readonly string[];
  readonly across: readonly string[];
  readonly valueAt: (down: number, across: number) => number | null;
  readonly valueText: (value: number | null) => string;
  readonly onPick: ((down: number, across: number, at: HTMLElement) => void) | undefined;
}

const SHADES = [1, 2, 3, 4, 5, 6, 7];

/** The colour of a shade, of which the style sheet mixes so much. */
const shadeOf = (shade: number): Record<string, string> => ({ '--shade': `${2 + 14 * shade}%` });

/** Scrolls a box that is too narrow for a day to the hours in which most happens. */
function showBusiest(box: HTMLElement, sums: readonly number[]): void {
  const [first, second] = box.querySelectorAll<HTMLElement>('thead th');
  if (first === undefined || second === undefined) return;
  const step = second.offsetLeft - first.offsetLeft;
  box.scrollLeft = step * largestRun(sums, Math.floor((box.clientWidth - first.offsetLeft) / step));
}

/** A table with cells shaded by value. It has the numbers itself, for people who cannot see the shades. */
export function HeatMap({ label, corner, down, across, valueAt, valueText, onPick }: HeatProps): JSX.Element {
  const [numbers, setNumbers] = useState(false);
  let top = 0;
  for (const row of down.keys()) for (const column of across.keys()) top = Math.max(top, valueAt(row, column) ?? 0);
  const step = (value: number): number => (value <= 0 || top === 0 ? 0 : Math.max(1, Math.ceil((value / top) * 7)));
  const dense = across.every((name) => name.length <= 2); // hours
  const sums = across.map((_, column) => down.reduce((sum, _name, row) => sum + (valueAt(row, column) ?? 0), 0));
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (dense && box.current) showBusiest(box.current, sums);
  }, [JSON.stringify(sums)]);
  return (
    <figure class="chart">
      <ScrollBox label={label} box={box}>
        <table class={`heat${dense ? ' dense' : ''}${numbers ? ' shown' : ''}`}>
          <caption class="hidden">{label}</caption>
          <thead>
            <tr>
              <td aria-label={corner} />
              {across.map((name) => (
                <th key={name} scope="col">
                  <span dir="auto">{name}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {down.map((name, row) => (
              <tr key={name}>
                <th scope="row" dir="auto">
                  {name}
                </th>
                {across.map((column, index) => {
                  const value = valueAt(row, index);
                  return (
                    <td key={column}>
                      <button
                        type="button"
                        class={value === null ? 'none' : step(value) > 0 ? 'shade' : ''}
                        style={shadeOf(step(value ?? 0))}
                        title={`${name}, ${column}: ${valueText(value)}`}
                        disabled={!onPick}
                        onClick={(event) => onPick?.(row, index, event.currentTarget)}
                      >
                        <span class={numbers ? '' : 'hidden'}>{valueText(value)}</span>
                      </button>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      <figcaption class="row small quiet heat-legend">
        <span>{valueText(0)}</span>
        <span class="shades" aria-hidden="true">
          {SHADES.map((shade) => (
            <i key={shade} style={shadeOf(shade)} />
          ))}
        </span>
        <span>{valueText(top)}</span>
        <Check label={text.report.cellNumbers} checked={numbers} onChange={setNumbers} />
      </figcaption>
    </figure>
  );
}
