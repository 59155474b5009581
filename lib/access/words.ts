const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const ACCENTS = /[\u0300-\u036f]+/g;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u;
const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });

/** A text's words, folded: decomposed, without accents, upper case (which also makes `ß` `SS` and `ς` `Σ`). */
export function wordsOf(text: string): string[] {
  const folded = text.normalize('NFKD').replace(ACCENTS, '').toUpperCase();
  const words = folded.match(WORD) ?? [];
  return UNSPACED.test(folded) ? words.flatMap(segments) : words;
}

/** Splits text of scripts without spaces by dictionary. */
const segments = (run: string): string[] =>
  UNSPACED.test(run) ? [...segmenter.segment(run)].map(({ segment }) => segment) : [run];
