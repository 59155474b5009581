import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The rows of the tables of threats and risks: what they are of, and the tests that they name. */
const ROWS = readFileSync('docs/threat-model.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| .* \| .* \| .* \|$/.test(line) && !line.endsWith('| tests |'))
  .map((line) => line.slice(2, -2).split(' | '))
  .map(([of = '', , tests = '']) => ({ of, tests: tests.split('<br>') }));

/** A quote in a name is written with a backslash there. */
const isNamedIn = (file: string, name: string): boolean =>
  [name, name.replaceAll("'", "\\'")].some((text) => readFileSync(file, 'utf8').includes(`'${text}'`));

it('has the ten risks of OWASP, and more threats', () => {
  expect(ROWS.filter(({ of }) => /^\d+ /.test(of)).map(({ of }) => Number.parseInt(of, 10))).toEqual([
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  ]);
  expect(ROWS.length).toBeGreaterThan(30);
});

it.each(ROWS)('names tests that there are: $of', ({ tests }) => {
  for (const test of tests) {
    const [, file = '', name = ''] = /^`(test\/[\w./-]+\.test\.ts)`: (.+)$/.exec(test) ?? [];
    expect([test, existsSync(file)]).toEqual([test, true]);
    expect([test, isNamedIn(file, name)]).toEqual([test, true]);
  }
});

/** What asks another address; `lib/store` has the SDK, which asks AWS alone, and the console runs in browsers. */
const ASKS =
  /\bfetch\(\s*['"`]|globalThis\.fetch|from 'node:(https|http2|dns|dgram|tls)'|\b(request|get|connect)\b[^;]*from 'node:(http|net)'|from '(undici|axios|got|node-fetch)'/;

it('only calls to help desks ask another address', () => {
  const files = ['lib', 'functions', 'infra/local'].flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: 'utf8' }).map((path) => join(room, path)),
  );
  const code = files.filter((file) => file.endsWith('.ts') && !file.startsWith('lib/console/app'));
  expect(code.length).toBeGreaterThan(300);
  expect(code.filter((file) => ASKS.test(readFileSync(file, 'utf8')))).toEqual([
    'lib/live/call.ts',
    'lib/live/hosts.ts',
  ]);
});
