import { RE2JS } from 're2js';
import { ImportFault } from '../formats/import-fault.ts';

/** A regular expression of a mapping or a pack. It reads a text once: no pattern can make a short text take long. */
export interface Pattern {
  readonly matches: (text: string) => boolean; // somewhere in the text
  /** Returns the first group of the first match, or the whole match if the group is absent; undefined if none fits. */
  readonly find: (text: string) => string | undefined;
}

/** Most characters of a pattern, and most instructions that it becomes: `\p{L}{500}` is short and becomes many. */
const LARGEST = { text: 2_000, program: 5_000 };

/** Compiles a pattern. Throws `ImportFault` with the reason if it is none, or if RE2 cannot read it in one pass. */
export function compilePattern(text: string, { anyCase = false } = {}): Pattern {
  const expression = compiled(text, anyCase);
  const hasGroup = expression.groupCount() > 0;
  return {
    matches: (cell) => expression.test(cell),
    find: (cell) => {
      const match = expression.matcher(cell);
      if (!match.find()) return undefined;
      return (hasGroup ? match.group(1) : null) ?? match.group(0) ?? undefined;
    },
  };
}

/** Returns why a text cannot be used as a pattern, to follow the pattern's name; undefined if it can. */
export function patternFault(text: string): string | undefined {
  try {
    compiled(text, false);
    return undefined;
  } catch (error) {
    if (error instanceof ImportFault) return error.message;
    throw error;
  }
}

function compiled(text: string, anyCase: boolean): RE2JS {
  if (text.length > LARGEST.text) throw new ImportFault(`is longer than ${LARGEST.text} characters`);
  if (!isExpression(text)) throw new ImportFault('is not a regular expression');
  const expression = readByRe2(inRe2(text), anyCase);
  if (expression.programSize() > LARGEST.program) throw new ImportFault('repeats too much: it would be slow');
  return expression;
}

function readByRe2(text: string, anyCase: boolean): RE2JS {
  try {
    return RE2JS.compile(text, anyCase ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace('error parsing regexp: ', '') : String(error);
    throw new ImportFault(
      `has what no pattern may have, such as looking ahead or repeating a group by number (${reason})`,
    );
  }
}

/** Only compiled, never run, which takes no longer than the pattern is long. */
function isExpression(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

/** JavaScript's white space, and everything else, as ranges of RE2, whose own `\s` knows ASCII alone. */
const SPACE = String.raw`\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
const NO_SPACE = String.raw`\x{0}-\x{8}\x{e}-\x{1f}!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`;
const NO_LINE_END = String.raw`[^\n\r\x{2028}\x{2029}]`;

const ANY_OR_NONE = new Map([
  ['[^]', String.raw`[\x{0}-\x{10ffff}]`],
  ['[]', String.raw`[^\x{0}-\x{10ffff}]`],
]);

/** An escape, or a character that RE2 reads otherwise. */
const TOKEN = /\\u\{[0-9a-f]+\}|(?:\\u[0-9a-f]{4}){1,2}|\\c[a-z]|\\[pP]\{[^}]*\}|\\.|\[\]|\[\^\]|\[\^?|\]|\./gisu;

/** Writes a regular expression of JavaScript for RE2, so that it means the same. */
function inRe2(text: string): string {
  let inClass = false;
  return text.replaceAll(TOKEN, (token) => {
    if (token === ']') {
      inClass = false;
      return token;
    }
    if (token.startsWith('[')) {
      const [wasInClass, isClosed] = [inClass, token.endsWith(']')];
      inClass = !isClosed;
      if (wasInClass) return `\\${token}`; // RE2 would read `[:alpha:]` in a class
      return isClosed ? (ANY_OR_NONE.get(token) ?? token) : token;
    }
    if (token === '.') return inClass ? token : NO_LINE_END;
    if (token === '\\s') return inClass ? SPACE : `[${SPACE}]`;
    if (token === '\\S') return inClass ? NO_SPACE : `[${NO_SPACE}]`;
    if (token === '\\b' && inClass) return '\\x08';
    return /^\\[uc]/u.test(token) ? named(token) : token;
  });
}

/** A character that is written by its number. */
function named(token: string): string {
  const [, letter] = /^\\c(.)$/u.exec(token) ?? [];
  if (letter !== undefined) return hex(letter.charCodeAt(0) % 32);
  const units = [...token.matchAll(/[0-9a-f]{4,}|\{([0-9a-f]+)\}/giu)].map(([all, braced]) =>
    Number.parseInt(braced ?? all, 16),
  );
  return [...String.fromCodePoint(...units)].map((one) => hex(one.codePointAt(0) ?? 0)).join('');
}

const hex = (code: number): string => `\\x{${code.toString(16)}}`;
