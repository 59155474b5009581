import type { Partial } from '../../lib/insights/partial.ts';

/**
 * The same result in memory that threads share. Other arrays would be written out and read in again on their way from thread
 * to thread; and handing over those that a scan adds up in would slow all scans that follow.
 */
export function sharePartial(partial: Partial): Partial {
  const { first, second, windows, sums } = partial;
  return {
    ...partial,
    first: shared(first),
    second: shared(second),
    windows: shared(windows),
    sums: sums.map((sum) => {
      const copy = new Float64Array(new SharedArrayBuffer(sum.byteLength));
      copy.set(sum);
      return copy;
    }),
  };
}

function shared(column: Int32Array): Int32Array {
  const copy = new Int32Array(new SharedArrayBuffer(column.byteLength));
  copy.set(column);
  return copy;
}
