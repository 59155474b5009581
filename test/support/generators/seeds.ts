import { configureGlobal } from 'fast-check';
import { tries } from './depth.ts';

/**
 * How many random cases a property tries that says no number, and which: `TEST_SEED` fixes them, so that every commit is
 * judged by the same cases on every machine.
 */
const seed = process.env.TEST_SEED;
configureGlobal({ numRuns: tries(100, 1 / 4), ...(seed ? { seed: Number(seed) } : {}) });
