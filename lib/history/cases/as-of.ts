import type { AsOf } from './event.ts';

const MISSING = -1; // below any time

/** Compares versions part by part; a missing part is smaller than any time (docs/design/versions.md). */
export function compareAsOf(a: AsOf, b: AsOf): number {
  for (let part = 0; part < Math.max(a.length, b.length); part += 1) {
    const difference = (a[part] ?? MISSING) - (b[part] ?? MISSING);
    if (difference !== 0) return difference;
  }
  return 0;
}
