import { spawnSync } from 'node:child_process';
import { CHROMIUM } from '../support/service/browser-path.ts';

/** `npm run test:console`: the console in a real browser, which is installed by apt-get where there is none. */
function main(): number {
  if (CHROMIUM === undefined) {
    const installed = spawnSync('sh', ['-c', 'apt-get update -qq && apt-get install -y -qq chromium'], {
      stdio: 'inherit',
    });
    if (installed.status !== 0) {
      process.stderr.write('There is no Chromium and apt-get installs none: the tests of the console did not run.\n');
      return 1;
    }
  }
  return (
    spawnSync('npm', ['test', '--', 'test/console/'], { stdio: 'inherit', env: { ...process.env, TEST_CONSOLE: '1' } })
      .status ?? 1
  );
}

process.exitCode = main();
