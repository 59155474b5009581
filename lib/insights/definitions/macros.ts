import type { Segment } from '../../history/segments/segment.ts';

const NEVER = 2 ** 31 - 1;

/** By row, the index among the case's resolves of the first one with a macro before it. */
export function firstsWithMacro(segment: Segment): Int32Array {
  const { rows, count } = segment.list('macros');
  const resolves = segment.macroResolves();
  const rowOf = rows();
  const firsts = new Int32Array(segment.head.rows).fill(NEVER);
  for (let entry = 0; entry < count; entry += 1) {
    const row = rowOf[entry]!;
    firsts[row] = Math.min(firsts[row]!, resolves[entry]!);
  }
  return firsts;
}
