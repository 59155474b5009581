import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { linear, thinned } from '../../model/scale.ts';

/** The edges of the plot in a chart, in px. */
interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The current width of a box in px; 0 until it is known. */
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

/** Rounds a length in px to one decimal, which keeps paths short. */
export const px = (value: number): number => Math.round(value * 10) / 10;

/** The class of a series, `c0` … `c7`: its colour and its dashes, so that no chart depends on colour alone. */
export const seriesClass = (index: number): string => `c${index % 8}`;

interface GoalProps {
  readonly goal: number | undefined;
  readonly plot: Plot;
  readonly y: (value: number) => number; // px
}

/** The line of a goal across a plot. */
export const GoalLine = ({ goal, plot: { left, right }, y }: GoalProps): JSX.Element | null =>
  goal === undefined ? null : <line class="goal" x1={left} x2={right} y1={px(y(goal))} y2={px(y(goal))} />;

interface AxesProps {
  readonly plot: Plot;
  readonly ticks: readonly number[];
  readonly tickText: (value: number) => string;
  readonly labels: readonly string[]; // by window or member, from left to right
  readonly center: (index: number) => number; // px
}

/** The grid lines with their values, and the labels below the plot. */
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
      {thinned(labels.length, room).map((index) => (
        <text key={index} x={px(center(index))} y={plot.bottom + 20} text-anchor="middle">
          {labels[index]}
        </text>
      ))}
    </g>
  );
}

/** A chart with a label for people who cannot see it; the table beside it has the numbers. */
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
  readonly dashed?: boolean; // for the line of the period before
}

/** The names of the series, each with a sample of its line or area. */
export const Legend = ({
  entries,
  areas = false,
}: {
  readonly entries: readonly LegendEntry[];
  readonly areas?: boolean;
}): JSX.Element | null =>
  entries.length < 2 ? null : (
    <ul class="legend">
      {entries.map(({ name, dashed }, index) => (
        <li key={name}>
          <svg width="22" height="10" aria-hidden="true">
            {areas ? (
              <rect class={`bar ${seriesClass(index)}`} x="6" width="10" height="10" rx="3" />
            ) : (
              <line class={dashed ? `${seriesClass(0)} before` : seriesClass(index)} x1="1" x2="21" y1="5" y2="5" />
            )}
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
