/**
 * The share of cases that random tests try: 1 in `.ci/run`. Without it `npm test` tries fewer, to end within minutes.
 */
const DEPTH = process.env.TEST_DEPTH;

/** How often a property is tried: `whole` times at depth 1, and a share of that in `npm test`. */
export const tries = (whole: number, share = 1 / 8): number => Math.max(1, Math.round(whole * Number(DEPTH ?? share)));

/** The step through the writes at which a fault may strike: 1 for each of them, or 5 for every fifth. */
export const STRIDE = Number(DEPTH ?? 0) < 1 ? 5 : 1;
