/** Compares texts by code point; JavaScript's `<` compares UTF-16 units instead. */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** The rank of a UTF-16 unit in code point order: surrogates stand for code points above all other units. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** A time as in `docs/interface.md`: UTC, whole seconds, `Z`. `at` in epoch ms. */
export function timestamp(at: number): string {
  return `${new Date(Math.floor(at / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}

/** The same of a time that may be unknown. */
export const timestampOrNull = (at: number | null | undefined): string | null => (at == null ? null : timestamp(at));

const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/; // also full-width signs, which some spreadsheets take for the usual ones

/** A text for a cell of a CSV: one that a spreadsheet would run as a formula begins with an apostrophe. */
export const withoutFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text as HTML, also within double quotes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);

const HALF = /\p{Surrogate}/u;

/** Whether a text has no half of a character (a lone surrogate): UTF-8 cannot hold one, so that two texts would become equal when stored. */
export const isWellFormed = (text: string): boolean => !HALF.test(text);

/** Percent-encodes all but unreserved characters (RFC 3986, 2.3; RFC 5849, 3.6); half a character as U+FFFD. */
export const percentEncoded = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD')).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** A text without its percent encoding; undefined if nobody can have encoded it so, as `100%`. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** A path in which letters, digits and `-._~` stand as they are: `%74opics` is `topics` (RFC 3986, 6.2.2.2). */
export const withPlainLetters = (path: string): string =>
  path.replace(/%(?:2[DE]|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dAE])/gi, (code) => decodeURIComponent(code));

/** A text of somebody else as one line, without control characters: for terminals, logs, headers and sentences. */
export const plainLine = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();

const UNSEEN = /(?!\r?(?:\n|$)|\t)[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu; // a line may end where the text does

/**
 * A text for a terminal or a log, with line ends and tabs as they are: other control characters, and those that turn the
 * direction of writing, stand as JSON escapes them, so that JSON stays the same document.
 */
export const printable = (text: string): string =>
  text.replace(UNSEEN, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A message whose addresses (`smtp://user:password@host`) have `***` for name and password: for logs and errors. */
export const withoutPasswords = (text: string): string =>
  text.replace(/(\b[a-z][a-z\d+.-]{0,30}:\/\/)[^\s/?#"'<>\\]{0,2000}@/gi, '$1***@');
