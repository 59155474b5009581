/** 1 tries everything as often as the tests say, as `.ci/run` does; `npm test` tries a share of it, to end within minutes. */
const DEPTH = process.env.TEST_DEPTH;

/** How often a property is tried of `whole` times: in `npm test` a quarter, or the share that one which takes long is given. */
export const tries = (whole: number, share = 1 / 4): number => Math.max(1, Math.round(whole * Number(DEPTH ?? share)));

/** The step through a row of places that a fault may strike at: each of them, or every third. */
export const STRIDE = Number(DEPTH ?? 0) < 1 ? 3 : 1;
