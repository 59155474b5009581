const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings
  /([{}[\]:,])|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;
const BLANKS = /[ \t\n\r]*/y;

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or ]' | ', or }' | 'the end';

/**
 * Finds the first place where a text breaks the grammar of JSON (RFC 8259), and what is expected there; undefined for
 * valid JSON. It explains texts that a parser has refused, since the parsers' own messages differ between engines.
 */
export function findJsonFault(text: string): { readonly at: number; readonly expected: Expected } | undefined {
  const open: string[] = [];
  let expected: Expected = 'value';
  let at = 0;
  const afterValue = (): Expected => (open.length === 0 ? 'the end' : open.at(-1) === '[' ? ', or ]' : ', or }');
  for (;;) {
    BLANKS.lastIndex = at;
    BLANKS.test(text);
    at = BLANKS.lastIndex;
    if (at === text.length) return expected === 'the end' ? undefined : { at, expected };
    TOKEN.lastIndex = at;
    const [token, sign] = TOKEN.exec(text) ?? [];
    const next: Expected | 'done' | undefined =
      token === undefined ? undefined : step(expected, sign ?? (token[0] === '"' ? 'text' : 'plain'), open);
    if (token === undefined || next === undefined) return { at, expected };
    expected = next === 'done' ? afterValue() : next;
    at += token.length;
  }
}

/** What may follow a token: `done` after a whole value, undefined if the token is not allowed. */
function step(expected: Expected, token: string, open: string[]): Expected | 'done' | undefined {
  if (token === ']' || token === '}') {
    if (expected !== `value or ${token}` && expected !== `key or ${token}` && expected !== `, or ${token}`)
      return undefined;
    open.pop();
    return 'done';
  }
  if (expected === 'key' || expected === 'key or }') return token === 'text' ? ':' : undefined;
  if (expected === ':') return token === ':' ? 'value' : undefined;
  if (expected === ', or ]') return token === ',' ? 'value' : undefined;
  if (expected === ', or }') return token === ',' ? 'key' : undefined;
  if (expected === 'the end' || token === ':' || token === ',') return undefined;
  if (token !== '[' && token !== '{') return 'done';
  open.push(token);
  return token === '[' ? 'value or ]' : 'key or }';
}

/** The line and column of an index in a text, both from 1. */
export function lineOf(text: string, at: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
