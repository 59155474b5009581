import { configureGlobal } from 'fast-check';
import { addEventHandler } from 'jest-circus';
import { tries } from '../generators/depth.ts';

/**
 * How many random cases a property tries that says no number, and which: `TEST_SEED` fixes them, so that every commit is
 * judged by the same cases on every machine.
 */
const seed = process.env.TEST_SEED;
configureGlobal({ numRuns: tries(100, 1 / 4), ...(seed ? { seed: Number(seed) } : {}) });

const { setTimeout, clearTimeout } = globalThis; // a test may hold timers
const LONGEST = 300_000; // ms of a test or a hook: bounds what hangs, also on a busy machine

/** A test or a hook that fails after `ms`; the runner bounds none, and would wait for a callback of one with a parameter. */
const bounded = (run: () => unknown, ms: number) => async (): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It took more than ${ms / 1000} s.`)), ms);
  });
  try {
    await Promise.race([run(), late]);
  } finally {
    clearTimeout(timer);
  }
};

addEventHandler((event, { currentDescribeBlock: { children, hooks } }) => {
  const added = event.name === 'add_test' ? children.at(-1) : event.name === 'add_hook' ? hooks.at(-1) : undefined;
  if (added === undefined || added.type === 'describeBlock') return;
  added.fn = bounded(added.fn as () => unknown, added.timeout ?? LONGEST);
});
