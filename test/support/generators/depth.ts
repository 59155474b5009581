/** 1 tries everything as often as the tests say, as `.ci/run` does; `npm test` tries a quarter of it, to end within minutes. */
const DEPTH = Number(process.env.TEST_DEPTH ?? 0.25);

/** How often a property is tried of `whole` times. */
export const tries = (whole: number): number => Math.max(1, Math.round(whole * DEPTH));

/** The step through a row of places that a fault may strike at: each of them, or every third. */
export const STRIDE = DEPTH < 1 ? 3 : 1;
