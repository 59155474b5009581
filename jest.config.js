/** Tests run as ES modules through swc; their tables lie on the disk, or in an engine (test/support/service/engine-setup.ts). */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '<rootDir>/test/support/service/transform.js',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'es6' } },
    ],
  },
  globalSetup: '<rootDir>/test/support/service/engine-setup.ts',
  globalTeardown: '<rootDir>/test/support/service/engine-teardown.ts',
  testTimeout: 120_000,
  maxWorkers: 3, // on two cores: many tests wait for processes, or for a disk
  // What a test file loaded stays in its worker, where the garbage collector looks at it again and again: a fifth of the processor time.
  workerIdleMemoryLimit: '400MB',
};
