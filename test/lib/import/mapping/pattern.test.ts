import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { compilePattern, patternFault } from '../../../../lib/import/mapping/pattern.ts';
import { PACKS } from '../../../../lib/import/packs/pack.ts';

/** Pieces of expressions that JavaScript and RE2 read alike, once the few that they read otherwise are rewritten. */
const PIECES = [
  ...[
    'a',
    'b',
    '1',
    '-',
    ' ',
    'ä',
    '😀',
    '\\d',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '.',
    '\\b',
    '\\.',
    '\\n',
    '\\x62',
    '\\u00e4',
  ],
  ...[
    '\\u{1f600}',
    '\\ud83d\\ude00',
    '\\p{L}',
    '\\P{Lu}',
    '[ab]',
    '[^a]',
    '[\\s\\d]',
    '[^\\s]',
    '[\\S]',
    '[[a]',
    '[[]',
    '[.]',
  ],
  ...['[\\b1]', '^', '$', '(a|ab)', '(?:1|a)', '(?<name>b)', 'a*', 'b+?', '(?:a1){1,3}', '[^]', '[]'],
];
const TEXT = fc.string({
  unit: fc.constantFrom('a', 'b', '1', '-', ' ', '\u00a0', '\u2028', '\n', '\u0085', 'ä', '😀', 'A', '.', '[', '\b'),
  maxLength: 20,
});

describe('patterns of a mapping', () => {
  it('find what JavaScript finds', () => {
    const pattern = fc
      .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 })
      .map((all) => all.join(''))
      .filter((all) => all.split('(?<name>').length <= 2); // a name twice is no expression
    fc.assert(
      fc.property(pattern, TEXT, (expression, text) => {
        const match = new RegExp(expression, 'u').exec(text);
        const { find, matches } = compilePattern(expression);
        expect(find(text)).toBe(match === null ? undefined : (match[1] ?? match[0]));
        expect(matches(text)).toBe(match !== null);
      }),
    );
  });

  it('of all packs are read', () => {
    const all = PACKS.flatMap((name) => {
      const text = readFileSync(`lib/import/packs/${name}/pack.json`, 'utf8');
      const values = [...text.matchAll(/"(?:pattern|file)": ("[^\n]*?")(?:,|\n| \})/g)].map(([, json = '']) => json);
      const activities = [...text.matchAll(/("\/[^"\n]+\/"):/g)].map(([, json = '']) => json);
      return [...values, ...activities].map((json) => String(JSON.parse(json)).replace(/^\/(.*)\/$/u, '$1'));
    });
    expect(all.length).toBeGreaterThan(30);
    for (const pattern of all) expect([pattern, patternFault(pattern)]).toEqual([pattern, undefined]);
  });

  it('end at once where JavaScript would not end', () => {
    const cell = `${'a'.repeat(5_000)}!`;
    for (const hostile of ['(a+)+$', '^(a|a)*$', '^(a|aa)+$', '(.*a){20}$', '([a-z]+)*\\d'])
      expect(compilePattern(hostile).find(cell)).toBeUndefined();
  });

  it.each([
    ['(', 'is not a regular expression'],
    ['a(?=b)', /^has what no pattern may have, .*`\(\?=`/],
    ['(?<!a)b', /^has what no pattern may have/],
    ['(a)\\1', /^has what no pattern may have/],
    ['(?<x>a)\\k<x>', /^has what no pattern may have/],
    ['(?:\\p{L}{100}){100}', /^has what no pattern may have|^repeats too much/],
    [`(?:${'.{1000}'.repeat(6)})`, 'repeats too much: it would be slow'],
    ['a'.repeat(2_001), 'is longer than 2000 characters'],
  ])('are refused in words: %s', (pattern, reason) => {
    expect(patternFault(pattern)).toMatch(reason);
  });
});
