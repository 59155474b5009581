import { defineConfig } from 'vitest/config';

/** Acceptance files that need more than an Administrator's credentials as they load: the table, settings or other users. */
const NEED_MORE = [
  ...['audit', 'deliveries', 'insights-totals', 'insights-unknown', 'macro-actions', 'repeats', 'topic-list', 'topics'],
  'users',
];

/** How tests run; their tables lie on the disk, or in an engine (test/support/service/engine-setup.ts). */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // What needs more than credentials is skipped (test/support/service/black-box.ts).
    ...(process.env.API_LOGIN
      ? {
          runner: 'test/support/service/black-box-runner.ts',
          exclude: NEED_MORE.map((name) => `test/api/${name}.test.ts`),
        }
      : {}),
    alias: [
      {
        find: './scrypt-thread.ts',
        replacement: `${import.meta.dirname}/test/support/service/remembered-scrypt.ts`,
      },
    ],
    globalSetup: 'test/support/service/engine-setup.ts',
    setupFiles: 'test/support/generators/seeds.ts',
    // Files share a process, so that each loads only what none before it has: a third of the processor's time.
    isolate: false,
    maxWorkers: 3, // on two cores: many tests wait for processes, or for a disk
    testTimeout: 300_000, // ms: bounds what hangs, also on a busy machine
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } }, // ms: likewise
    slowTestThreshold: 10_000, // ms: tests of processes take seconds
  },
});
