import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { highest, linear, ticks } from '../../model/scale.ts';
import { Axes, Figure, GoalLine, Legend, px, seriesClass, useWidth } from './frame.tsx';
import { type ChartProps, HEIGHT, Tip } from './line.tsx';

/** Columns over windows or members, with the series stacked; one series makes plain columns. */
export function StackedChart(props: ChartProps): JSX.Element {
  const { label, windows, ticksAcross, lines, kind, goal, valueText, onPick } = props;
  const [box, width] = useWidth();
  const [over, setOver] = useState<number | undefined>();
  const sums = windows.map((_, index) => lines.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const steps = ticks(highest([goal ?? 0, ...sums]), 5, kind);
  const plot = { left: 58, right: Math.max(width - 26, 60), top: 12, bottom: HEIGHT - 30 };
  const y = linear(steps.at(-1) ?? 1, plot.bottom, plot.top);
  const band = (plot.right - plot.left) / Math.max(1, windows.length);
  const center = (index: number): number => plot.left + (index + 0.5) * band;
  const thick = Math.min(56, Math.max(1, band * 0.72));
  return (
    <Figure label={label}>
      <Legend entries={lines.map(({ name }) => ({ name }))} areas />
      <div class="picture" ref={box}>
        {width > 0 && (
          <svg
            width={width}
            height={HEIGHT}
            viewBox={`0 0 ${width} ${HEIGHT}`}
            role="img"
            aria-label={label}
            class={onPick && 'pickable'}
            onMouseLeave={() => setOver(undefined)}
          >
            <Axes plot={plot} ticks={steps} tickText={valueText} labels={ticksAcross} center={center} />
            {windows.map((name, index) => (
              <g key={`${index} ${name}`} onMouseEnter={() => setOver(index)}>
                <rect
                  class="reach"
                  x={px(plot.left + index * band)}
                  y={plot.top}
                  width={px(band)}
                  height={plot.bottom - plot.top}
                />
                {stack(lines, index).map(({ series, from, to }) => (
                  <rect
                    key={series}
                    class={`bar ${seriesClass(series)}`}
                    x={px(center(index) - thick / 2)}
                    width={px(thick)}
                    y={px(y(to))}
                    height={px(Math.max(0, y(from) - y(to)))}
                    onClick={(event) => onPick?.(series, index, event.currentTarget)}
                  />
                ))}
              </g>
            ))}
            <GoalLine {...{ goal, plot, y }} />
          </svg>
        )}
        {over !== undefined && <Tip {...props} window={over} left={center(over)} width={width} />}
      </div>
    </Figure>
  );
}

function stack(lines: ChartProps['lines'], index: number): { series: number; from: number; to: number }[] {
  let top = 0;
  return lines.flatMap(({ values }, series) => {
    const value = values[index] ?? 0;
    if (value === 0) return [];
    const from = top;
    top += value;
    return [{ series, from, to: top }];
  });
}
