/** Acceptance files that need more than an Administrator's credentials as they load: the table, settings or other users. */
const NEED_MORE = [
  ...['audit', 'deliveries', 'insights-totals', 'insights-unknown', 'macro-actions', 'repeats', 'topic-list', 'topics'],
  'users',
];
const isBlackBox = Boolean(process.env.API_LOGIN);
const ignored = [
  ...(isBlackBox ? NEED_MORE.map((name) => `/test/api/${name}\\.test\\.ts$`) : []),
  // Both processes of these are this one, beside a stand-in of Athena: no deployment is tried by them.
  ...(process.env.API_URL ? ['/test/api/engine'] : []),
];

/** How tests run; their tables lie on the disk, or in an engine (test/support/runner/run-setup.ts). */
export default {
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ignored,
  // Files share a process, so that each loads only what none before it has. What credentials do not suffice for is
  // skipped.
  runner: `./test/support/runner/${isBlackBox ? 'black-box-runner' : 'runner'}.js`,
  transform: {}, // tsx reads TypeScript, as it does outside of tests
  watchman: false,
  globalSetup: './test/support/runner/run-setup.ts',
  globalTeardown: './test/support/runner/run-teardown.ts',
  setupFilesAfterEnv: ['./test/support/runner/setup-file.ts'],
  maxWorkers: 3, // on two cores: many tests wait for processes, or for a disk
  slowTestThreshold: 60, // seconds of a file
};
