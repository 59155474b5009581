const SIGNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Whether a text is of a language that writes no spaces between words. */
export const hasSigns = (text: string): boolean => SIGNS.test(text);

/** A text for a regular expression. */
export const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** The source of a pattern that one of some words fits, the longest first; letters must not follow or precede a whole word. */
export const anyOf = (words: readonly string[]): string =>
  [...new Set(words)]
    .sort((a, b) => b.length - a.length)
    .map(escaped)
    .join('|');

const [NO_LETTER_BEFORE, NO_LETTER_AFTER] = ['(?<![\\p{L}\\p{N}])', '(?![\\p{L}\\p{N}])'];

/** A pattern that finds one of some words in a text (`Language` says how they are written). */
export function wordPattern(words: readonly string[], flags = 'u'): RegExp {
  const sources = words.map((word) => {
    const text = escaped(word.replaceAll('*', ''));
    if (hasSigns(word)) return text;
    return `${word.startsWith('*') ? '' : NO_LETTER_BEFORE}${text}${word.endsWith('*') ? '' : NO_LETTER_AFTER}`;
  });
  return new RegExp(sources.join('|'), flags);
}
