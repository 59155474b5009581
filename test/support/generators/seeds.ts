import { configureGlobal } from 'fast-check';

/** Fixes the random cases of all properties, so that every commit is judged by the same cases on every machine (`TEST_SEED`). */
const seed = process.env.TEST_SEED;
if (seed) configureGlobal({ seed: Number(seed) });
