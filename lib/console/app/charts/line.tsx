import type { JSX, TargetedMouseEvent } from 'preact';
import { useState } from 'preact/hooks';
import { highest, linear, type TickKind, ticks } from '../../model/scale.ts';
import { Axes, Figure, GoalLine, Legend, px, seriesClass, useWidth } from './frame.tsx';

export interface Line {
  readonly name: string;
  readonly values: readonly (number | null)[];
  readonly before?: boolean; // whether it is of the period before
}

export interface ChartProps {
  readonly label: string;
  readonly windows: readonly string[]; // full names
  readonly ticksAcross: readonly string[]; // short names
  readonly lines: readonly Line[];
  readonly kind: TickKind;
  readonly goal?: number | undefined; // drawn as a line across
  readonly valueText: (value: number | null) => string;
  readonly onPick: ((line: number, window: number, at: HTMLElement | SVGElement) => void) | undefined;
}

export const HEIGHT = 280; // px, of a chart

/** Lines over windows, with a gap for a window without a value. */
export function LineChart(props: ChartProps): JSX.Element {
  const { label, windows, ticksAcross, lines, kind, goal, valueText } = props;
  const [box, width] = useWidth();
  const [over, setOver] = useState<number | undefined>();
  const steps = ticks(highest([goal ?? 0, ...lines.flatMap(({ values }) => values)]), 5, kind);
  const plot = { left: 58, right: Math.max(width - 26, 60), top: 12, bottom: HEIGHT - 30 };
  const y = linear(steps.at(-1) ?? 1, plot.bottom, plot.top);
  const gap = windows.length > 1 ? (plot.right - plot.left) / (windows.length - 1) : 0;
  const x = (index: number): number => (windows.length > 1 ? plot.left + index * gap : (plot.left + plot.right) / 2);
  const near = (event: TargetedMouseEvent<SVGSVGElement>): number => {
    const { left } = event.currentTarget.getBoundingClientRect();
    return Math.min(
      windows.length - 1,
      Math.max(0, gap === 0 ? 0 : Math.round((event.clientX - left - plot.left) / gap)),
    );
  };
  return (
    <Figure label={label}>
      <Legend entries={lines.map(({ name, before = false }) => ({ name, dashed: before }))} />
      <div class="picture" ref={box}>
        {width > 0 && (
          <svg
            width={width}
            height={HEIGHT}
            viewBox={`0 0 ${width} ${HEIGHT}`}
            role="img"
            aria-label={label}
            class={props.onPick && 'pickable'}
            onMouseMove={(event) => setOver(near(event))}
            onMouseLeave={() => setOver(undefined)}
            onClick={(event) => pickNearest(props, near(event), event, y)}
          >
            <Axes plot={plot} ticks={steps} tickText={valueText} labels={ticksAcross} center={x} />
            <GoalLine {...{ goal, plot, y }} />
            {over !== undefined && (
              <line class="cross" x1={px(x(over))} x2={px(x(over))} y1={plot.top} y2={plot.bottom} />
            )}
            {lines.map(({ name, values, before = false }, index) => (
              <g key={name} class={before ? `${seriesClass(0)} before` : seriesClass(index)}>
                <path class="line" d={pathOf(values, x, y)} />
                {values.map((value, window) =>
                  value !== null && (over === window || isAlone(values, window)) ? (
                    <circle
                      key={window}
                      class="dot"
                      cx={px(x(window))}
                      cy={px(y(value))}
                      r={over === window ? 4 : 2.5}
                    />
                  ) : null,
                )}
              </g>
            ))}
          </svg>
        )}
        {over !== undefined && <Tip {...props} window={over} left={x(over)} width={width} />}
      </div>
    </Figure>
  );
}

const isAlone = (values: readonly (number | null)[], index: number): boolean =>
  (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null;

function pathOf(
  values: readonly (number | null)[],
  x: (index: number) => number,
  y: (value: number) => number,
): string {
  let pen = 'M';
  let path = '';
  for (const [index, value] of values.entries()) {
    if (value === null) {
      pen = 'M';
      continue;
    }
    path += `${pen}${px(x(index))} ${px(y(value))}`;
    pen = 'L';
  }
  return path;
}

function pickNearest(
  { lines, onPick }: ChartProps,
  window: number,
  event: TargetedMouseEvent<SVGSVGElement>,
  y: (value: number) => number,
): void {
  const svg = event.currentTarget;
  const height = event.clientY - svg.getBoundingClientRect().top;
  const distance = (line: Line): number => {
    const value = line.values[window] ?? null;
    return value === null || line.before ? Number.POSITIVE_INFINITY : Math.abs(y(value) - height);
  };
  const nearest = lines.reduce(
    (best, line, index) => (distance(line) < distance(lines[best] ?? line) ? index : best),
    0,
  );
  if (onPick && lines[nearest] && Number.isFinite(distance(lines[nearest]))) onPick(nearest, window, svg);
}

interface TipProps extends ChartProps {
  readonly window: number;
  readonly left: number; // px
  readonly width: number; // px
}

/** A box beside the pointer with all values of a window. */
export function Tip({ windows, lines, valueText, window, left, width }: TipProps): JSX.Element {
  const end = left > width / 2;
  return (
    <div
      class={end ? 'tip end' : 'tip'}
      style={end ? { right: `${width - left + 12}px` } : { left: `${left + 12}px` }}
      aria-hidden="true"
    >
      <strong>{windows[window]}</strong>
      {lines.map(({ name, values, before = false }, index) => (
        <span key={name}>
          <i class={before ? `${seriesClass(0)} before` : seriesClass(index)} />
          {name}
          <b>{valueText(values[window] ?? null)}</b>
        </span>
      ))}
    </div>
  );
}
