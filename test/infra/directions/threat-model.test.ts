import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FUNCTIONS, type FunctionEntry } from '../../../infra/stack/functions.ts';

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

/** The code of these rooms that fits a pattern, without the console's own, which runs in browsers. */
const fitting = (pattern: RegExp, ...rooms: readonly string[]): readonly string[] =>
  rooms
    .flatMap((room) => readdirSync(room, { recursive: true, encoding: 'utf8' }).map((path) => join(room, path)))
    .filter((file) => file.endsWith('.ts') && !file.startsWith('lib/console/app'))
    .filter((file) => pattern.test(readFileSync(file, 'utf8')))
    .sort();

/** What asks another address; `lib/store` has the SDK, which asks AWS alone, and the console runs in browsers. */
const ASKS =
  /\bfetch\(\s*['"`]|globalThis\.fetch|from 'node:(https|http2|dns|dgram|tls)'|\b(request|get|connect)\b[^;]*from 'node:(http|net)'|from '(undici|axios|got|node-fetch)'/;

it('only calls to help desks ask another address', () => {
  const rooms = ['lib', 'functions', 'infra/local'];
  expect(fitting(/^/, ...rooms).length).toBeGreaterThan(300);
  expect(fitting(ASKS, ...rooms)).toEqual(['lib/live/call.ts', 'lib/live/hosts.ts']);
});

/** So that what `serve` and what it calls do with gzip, percent-encoded paths and passwords in Latin-1 holds at each. */
describe('every door of HTTP passes lib/http/serve.ts', () => {
  it('on a laptop, where there is one server, with the handler of `npm start`', () => {
    expect(fitting(/\bcreateServer\(/, 'bin', 'functions', 'infra', 'lib')).toEqual(['infra/local/server/server.ts']);
    expect(fitting(/\blisten\(\{/, 'bin', 'functions', 'infra', 'lib')).toEqual(['infra/local/start.ts']);
    expect(readFileSync('infra/local/start.ts', 'utf8')).toMatch(/const handler = serve\(\{.*listen\(\{ handler,/s);
  });

  it('in the cloud, where the gateway asks functions that `answer` makes', () => {
    expect(fitting(/\bserve\(\{/, 'bin', 'functions', 'infra', 'lib')).toEqual([
      'functions/wiring.ts',
      'infra/local/start.ts',
    ]);
    expect(readFileSync('functions/wiring.ts', 'utf8')).toMatch(/export function answer\(.*const handle = serve\(\{/s);
    const asked = Object.entries<FunctionEntry>(FUNCTIONS).filter(([, { paths }]) => paths !== undefined);
    const answering = asked.map(([name]) => `functions/${name}.ts`).sort();
    expect(fitting(/^export const handler = answer\(/m, 'functions')).toEqual(answering);
  });
});
