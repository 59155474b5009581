import { spawnSync } from 'node:child_process';
import { CHROMIUM, LIBREOFFICE } from '../support/service/browser-path.ts';

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
  if (LIBREOFFICE === undefined) {
    // 96 MB, 300 unpacked, a minute: it opens a workbook once, as people's programs do.
    const packages = 'apt-get update -qq && apt-get install -y -qq --no-install-recommends libreoffice-calc >/dev/null';
    if (spawnSync('sh', ['-c', packages], { stdio: 'inherit' }).status !== 0)
      process.stderr.write('There is no LibreOffice and apt-get installs none: it opened no workbook.\n');
  }
  const asked = process.argv.slice(2);
  const files = asked.some((word) => !word.startsWith('-')) ? [] : ['test/console/']; // a file that is named runs alone
  const args = ['test', '--', ...files, ...asked];
  return spawnSync('npm', args, { stdio: 'inherit', env: { ...process.env, TEST_CONSOLE: '1' } }).status ?? 1;
}

process.exitCode = main();
