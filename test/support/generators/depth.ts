import fc from 'fast-check';
import { certain } from '../../../lib/certain.ts';

/** The share of cases that random tests try. Without it `npm test` tries some, to end within minutes. */
const DEPTH = process.env.TEST_DEPTH;
const isWhole = Number(DEPTH ?? 0) >= 1;
/** Whether whole lists and long tests are tried, as `.ci/run` does on one version of Node. */
const isLong = isWhole || process.env.TEST_LONG === '1';

/** How often a property is tried: `whole` times at depth 1, and a share of that in `npm test`. */
export const tries = (whole: number, share = 1 / 16): number => Math.max(1, Math.round(whole * Number(DEPTH ?? share)));

/** The step through the writes at which a fault may strike: 1 for each of them, or 8 for every eighth. */
export const STRIDE = isWhole ? 1 : 8;

/** The cases of a list that are tried: so many by chance in `npm test`, else all. */
export const some = <T>(cases: readonly T[], count = 1): readonly T[] =>
  isLong || cases.length <= count ? cases : certain(fc.sample(subsets(cases, count), 1)[0]);

const subsets = <T>(cases: readonly T[], count: number): fc.Arbitrary<T[]> =>
  fc.subarray([...cases], { minLength: count, maxLength: count });

/** A test that takes seconds, beside quicker ones of its kind: `npm test` skips it. */
export const itAtLength: typeof it | typeof it.skip = isLong ? it : it.skip;
