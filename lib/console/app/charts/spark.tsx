import type { JSX } from 'preact';
import { linear } from '../../model/scale.ts';
import { px } from './frame.tsx';

const WIDTH = 120;
const HEIGHT = 32;

/** A small line without axes beside a number, which shows the trend but no values. */
export function Spark({ values }: { readonly values: readonly (number | null)[] }): JSX.Element {
  const y = linear(Math.max(1e-9, ...values.map((value) => value ?? 0)), HEIGHT - 3, 3);
  const x = linear(Math.max(1, values.length - 1), 2, WIDTH - 2);
  const points = values.flatMap((value, index) => (value === null ? [] : [`${px(x(index))} ${px(y(value))}`]));
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {points.length > 1 && (
        <path
          class="area"
          d={`M${points[0]?.split(' ')[0]} ${HEIGHT}L${points.join('L')}L${points.at(-1)?.split(' ')[0]} ${HEIGHT}Z`}
        />
      )}
      {points.length > 1 && <path class="line" d={`M${points.join('L')}`} />}
    </svg>
  );
}
