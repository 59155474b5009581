/** Acceptance files that need more than an Administrator's credentials as they load: the table, settings or other users. */
const NEED_MORE = [
  ...['audit', 'deliveries', 'insights-totals', 'insights-unknown', 'macro-actions', 'repeats', 'topic-list', 'topics'],
  'users',
];

/** Tests run as ES modules through swc; their tables lie on the disk, or in an engine (test/support/service/engine-setup.ts). */
export default {
  testEnvironment: 'node',
  // What needs more than credentials is skipped (test/support/service/black-box.ts).
  ...(process.env.API_LOGIN
    ? {
        testEnvironment: '<rootDir>/test/support/service/black-box-environment.js',
        testPathIgnorePatterns: [`/test/api/(${NEED_MORE.join('|')}).test.ts$`],
      }
    : {}),
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '<rootDir>/test/support/service/transform.js',
      {
        jsc: {
          parser: { syntax: 'typescript' },
          target: 'es2023',
          experimental: { keepImportAttributes: true }, // of JSON
        },
        module: { type: 'es6' },
      },
    ],
  },
  moduleNameMapper: { '^\\./scrypt-thread\\.ts$': '<rootDir>/test/support/service/remembered-scrypt.ts' },
  setupFilesAfterEnv: ['<rootDir>/test/support/generators/seeds.ts'],
  globalSetup: '<rootDir>/test/support/service/engine-setup.ts',
  globalTeardown: '<rootDir>/test/support/service/engine-teardown.ts',
  testTimeout: 300_000, // ms: bounds what hangs, also on a busy machine
  maxWorkers: 3, // on two cores: many tests wait for processes, or for a disk
  // What a test file loaded stays in its worker, where the garbage collector looks at it again and again: a fifth of the processor time.
  workerIdleMemoryLimit: '400MB',
};
