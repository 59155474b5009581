/** Returns the greatest common divisor of two unsigned integers; of 0 and n it is n. */
export function greatestCommonDivisor(a: number, b: number): number {
  let [large, small] = [a, b];
  while (small > 0) [large, small] = [small, large % small];
  return large;
}
