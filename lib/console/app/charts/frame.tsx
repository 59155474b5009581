import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { linear, thinned } from '../../model/scale.ts';

/** Where a chart's plot lies in its picture, in px. */
export interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A box's width in px, as it changes; 0 before it is known. */
export function useWidth(): readonly [box: { readonly current: HTMLDivElement | null }, width: number] {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!box.current) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return [box, width];
}

/** A px with half a device pixel of precision: shorter paths. */
export const px = (value: number): number => Math.round(value * 10) / 10;

/** The series' colours are classes `c0` … `c7`, their dashes likewise, so that no chart speaks by colour alone. */
export const seriesClass = (place: number): string => `c${place % 8}`;

interface AxesProps {
  readonly plot: Plot;
  readonly ticks: readonly number[];
  readonly tickText: (value: number) => string;
  readonly labels: readonly string[]; // of the places across
  readonly center: (place: number) => number; // px
}

/** Grid lines with their values, and the labels across. */
export function Axes({ plot, ticks, tickText, labels, center }: AxesProps): JSX.Element {
  const y = linear(ticks.at(-1) ?? 1, plot.bottom, plot.top);
  const room = Math.floor((plot.right - plot.left) / 74);
  return (
    <g class="axes">
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={plot.left} x2={plot.right} y1={px(y(tick))} y2={px(y(tick))} />
          <text x={plot.left - 8} y={px(y(tick))} dy="0.32em" text-anchor="end">
            {tickText(tick)}
          </text>
        </g>
      ))}
      {thinned(labels.length, room).map((place) => (
        <text key={place} x={px(center(place))} y={plot.bottom + 20} text-anchor="middle">
          {labels[place]}
        </text>
      ))}
    </g>
  );
}

/** A picture with what it shows, named for who does not see it; the table beside it has the numbers. */
export const Figure = ({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
}): JSX.Element => (
  <figure class="chart">
    {children}
    <figcaption class="hidden">{label}</figcaption>
  </figure>
);

export interface LegendEntry {
  readonly name: string;
  readonly dashed?: boolean; // what a line is compared with
}

/** Names of the series, each with the line or area that is drawn for it. */
export const Legend = ({
  entries,
  areas = false,
}: {
  readonly entries: readonly LegendEntry[];
  readonly areas?: boolean;
}): JSX.Element | null =>
  entries.length < 2 ? null : (
    <ul class="legend">
      {entries.map(({ name, dashed }, place) => (
        <li key={name}>
          <svg width="22" height="10" aria-hidden="true">
            {areas ? (
              <rect class={`bar ${seriesClass(place)}`} x="6" width="10" height="10" rx="3" />
            ) : (
              <line class={dashed ? `${seriesClass(0)} before` : seriesClass(place)} x1="1" x2="21" y1="5" y2="5" />
            )}
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
