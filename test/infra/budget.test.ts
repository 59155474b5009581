import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { budgetText, HELD, KEPT } from '../../infra/budget.ts';
import { keys, REFERENCE_KINDS } from '../../lib/store/keys.ts';

/** What holds something for a while: it takes a lease, sets a timer that repeats, starts a process or a thread, or calls out. */
const HOLDS =
  /\b(?:takeLease|withLease|keepLease|setInterval|spawn|createServer|createTransport)\(|new (?:Worker|Https?Agent|[A-Z]\w*Client)\(/;

const takers = ['lib', 'infra/local', 'functions'].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .map((name) => join(room, name))
    .filter((path) => path.endsWith('.ts') && !path.startsWith('lib/console/app') && path !== 'lib/store/lease.ts')
    .filter((path) => HOLDS.test(readFileSync(path, 'utf8'))),
);
const named = HELD.flatMap(({ where }) => where);

it('has an entry for everything that the code holds, and no other', () => {
  expect([...named].sort()).toEqual([...takers].sort());
});

it('has an entry for every key of the table and every kind of records', () => {
  expect([...new Set(KEPT.flatMap((kept) => kept.keys))].sort()).toEqual(Object.keys(keys).sort());
  expect(KEPT.flatMap(({ kinds = [] }) => kinds).sort()).toEqual([...REFERENCE_KINDS].sort());
});

it.each([...HELD, ...KEPT])('says how much: $what', ({ bound }) => {
  expect(bound).not.toMatch(/^$|undefined|NaN/);
});

/** What no number bounds, but who makes it. */
const WITHOUT_FIGURE = [
  'a step of an import, or a pull, in the cloud', // the time limit of its function, in infra/stack/functions.ts
  'history',
  'sites',
  'timers of the service',
];

it('has a figure for all but what only an operator or a history bounds', () => {
  const words = [...HELD, ...KEPT].filter(({ bound }) => !/\d/.test(bound)).map(({ what }) => what);
  expect(words.sort()).toEqual(WITHOUT_FIGURE);
});

it('is printed as docs/budget.md (npm run budget)', () => {
  expect(readFileSync('docs/budget.md', 'utf8')).toBe(budgetText());
});
