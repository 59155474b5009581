import { CHROMIUM } from './browser-path.ts';

const WHY_NOT = CHROMIUM === undefined ? 'no Chromium is installed' : 'npm test leaves browsers alone';

/** Declares tests in a real browser for `npm run test:console`; otherwise they are skipped, and their name says why. */
export const describeInBrowser = (name: string, tests: () => void) =>
  CHROMIUM === undefined || process.env.TEST_CONSOLE !== '1'
    ? describe.skip(`${name} (skipped: ${WHY_NOT}; npm run test:console runs it)`, tests)
    : describe(name, tests);
