import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import ts from 'typescript';

/**
 * No pattern that sees a request has two ways through the same text: who sends `OAuth a=` and 15,000 spaces must not
 * hold the one thread. Each pattern is tried on texts that it matches, with many repetitions of each of its letters
 * anywhere in them, and a sign behind that makes it look for other ways.
 */

const ROOMS = [
  ...['lib', 'lib/http', 'lib/access', 'lib/access/oauth', 'lib/access/passwords', 'lib/console', 'infra/local/server'],
  ...[
    'lib/live',
    'lib/live/check',
    'lib/live/vendors',
    'lib/deliver',
    'lib/account',
    'lib/topics',
    'lib/topics/articles',
    'lib/macros',
    'lib/insights',
  ],
];
const FILES = ROOMS.flatMap((room) =>
  readdirSync(room)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(room, name)),
);
const MANY = 4_000; // repetitions
const TRIFLE = 20; // ms that a text of four times as many letters may take, however it grows
const SPOILERS = ['', '"', '\0', '!', '\n'];

interface Pattern {
  readonly place: string;
  readonly regex: RegExp;
}

function patternsOf(path: string): Pattern[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const patterns: Pattern[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const flags = node.text.slice(end + 1).replace(/[gy]/g, '');
      patterns.push({ place: `${path}: ${node.text}`, regex: new RegExp(node.text.slice(1, end), flags) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return patterns;
}

/** Texts that a pattern matches; the empty one alone where nobody can make any, as for one that looks ahead. */
function examplesOf({ regex }: Pattern): string[] {
  try {
    return [...new Set(['', ...fc.sample(fc.stringMatching(regex, { size: 'xsmall' }), { numRuns: 6, seed: 1 })])];
  } catch {
    return [''];
  }
}

/** The letters of a pattern: those that it names, and one of each class. */
const lettersOf = ({ regex }: Pattern): string[] => [
  ...new Set([...' \ta0=,;".:/-%', ...regex.source.replace(/[\\()[\]{}?*+|^$]/g, '')]),
];

/** How long the quickest of three tries takes, in ms. */
function timeOf(regex: RegExp, text: string): number {
  const tries = Array.from({ length: 3 }, () => {
    const begun = performance.now();
    regex.test(text);
    return performance.now() - begun;
  });
  return Math.min(...tries);
}

/** A text on which a pattern takes much more than four times as long for four times the letters; undefined if none. */
function slowText(pattern: Pattern): string | undefined {
  for (const example of examplesOf(pattern).map((text) => text.slice(0, 12)))
    for (const letter of lettersOf(pattern))
      for (let at = 0; at <= example.length; at += 1)
        for (const spoiler of SPOILERS) {
          const text = (count: number) => example.slice(0, at) + letter.repeat(count) + example.slice(at) + spoiler;
          const long = timeOf(pattern.regex, text(MANY * 4));
          if (long > TRIFLE && long > 8 * timeOf(pattern.regex, text(MANY))) return JSON.stringify(text(3));
        }
  return undefined;
}

const patterns = FILES.flatMap(patternsOf);

describe('a pattern that sees requests', () => {
  it('is tried, wherever it stands', () => {
    expect(patterns.length).toBeGreaterThan(40);
  });

  it.each(patterns)('takes time in proportion to its text: $place', (pattern) => {
    expect(slowText(pattern)).toBeUndefined();
  });

  it.each([
    { place: 'two ways through spaces', regex: /^\s*([^=\s]+)\s*=\s*(?:"([^"]*)"|([^"\s]*))\s*$/ },
    { place: 'a search from each place', regex: /a+$/ },
  ])('is found out: $place', (pattern) => {
    expect(slowText(pattern)).toBeDefined();
  });
});
