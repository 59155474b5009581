import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { linear, ticks } from '../../model/scale.ts';
import { Axes, Figure, Legend, px, seriesClass, useWidth } from './frame.tsx';
import { type ChartProps, Tip } from './line.tsx';

const HEIGHT = 280; // px

/** Columns over windows (or members), the series on one another; one series makes plain bars. */
export function StackedChart(props: ChartProps): JSX.Element {
  const { label, windows, ticksAcross, lines, kind, tickText, height = HEIGHT, onPick } = props;
  const [box, width] = useWidth();
  const [over, setOver] = useState<number | undefined>();
  const sums = windows.map((_, place) => lines.reduce((sum, { values }) => sum + (values[place] ?? 0), 0));
  const steps = ticks(Math.max(0, ...sums), 5, kind);
  const plot = { left: 58, right: Math.max(width - 26, 60), top: 12, bottom: height - 30 };
  const y = linear(steps.at(-1) ?? 1, plot.bottom, plot.top);
  const band = (plot.right - plot.left) / Math.max(1, windows.length);
  const center = (place: number): number => plot.left + (place + 0.5) * band;
  const thick = Math.min(56, Math.max(1, band * 0.72));
  return (
    <Figure label={label}>
      <Legend entries={lines.map(({ name }) => ({ name }))} areas />
      <div class="picture" ref={box}>
        {width > 0 && (
          <svg
            width={width}
            height={height}
            role="img"
            aria-label={label}
            class={onPick ? 'pickable' : ''}
            onMouseLeave={() => setOver(undefined)}
          >
            <Axes plot={plot} ticks={steps} tickText={tickText} labels={ticksAcross} center={center} />
            {windows.map((name, place) => (
              <g key={`${place} ${name}`} onMouseEnter={() => setOver(place)}>
                <rect
                  class="reach"
                  x={px(plot.left + place * band)}
                  y={plot.top}
                  width={px(band)}
                  height={plot.bottom - plot.top}
                />
                {stack(lines, place).map(({ series, from, to }) => (
                  <rect
                    key={series}
                    class={`bar ${seriesClass(series)}`}
                    x={px(center(place) - thick / 2)}
                    width={px(thick)}
                    y={px(y(to))}
                    height={px(Math.max(0, y(from) - y(to)))}
                    onClick={(event) => onPick?.(series, place, event.currentTarget)}
                  />
                ))}
              </g>
            ))}
          </svg>
        )}
        {over !== undefined && <Tip {...props} window={over} left={center(over)} width={width} />}
      </div>
    </Figure>
  );
}

function stack(lines: ChartProps['lines'], place: number): { series: number; from: number; to: number }[] {
  let top = 0;
  return lines.flatMap(({ values }, series) => {
    const value = values[place] ?? 0;
    if (value === 0) return [];
    const from = top;
    top += value;
    return [{ series, from, to: top }];
  });
}
