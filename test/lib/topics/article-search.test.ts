import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { index, search, wordsOf } from '../../../lib/topics/article-search.ts';

const article = (id: number) => ({ id, subject: '', topics: [], brands: [] });

/** Which of the texts match, by their places. */
function matches(texts: readonly string[], wanted: string): number[] {
  const articles = texts.map((_, place) => article(place));
  return search(
    index(articles, ({ id }) => texts[id] ?? ''),
    wordsOf(wanted),
  ).map(({ id }) => id);
}

describe('wordsOf', () => {
  it('folds case and accents, and takes letters and digits for words', () => {
    expect(wordsOf("Crème Brûlée, don't!")).toEqual(['CREME', 'BRULEE', 'DON', 'T']);
    expect(wordsOf('Straße 42b')).toEqual(['STRASSE', '42B']);
    expect(wordsOf('ὈΔΟΣ ὁδός')).toEqual(['ΟΔΟΣ', 'ΟΔΟΣ']);
    expect(wordsOf('ﬁne ① Ａ')).toEqual(['FINE', '1', 'A']);
    expect(wordsOf(' —!? ')).toEqual([]);
  });

  it('cuts scripts without spaces into words', () => {
    expect(wordsOf('商品の送料')).toEqual(['商品', 'の', '送料']);
  });
});

describe('search', () => {
  const texts = ['Reset your password', 'Passwort zurücksetzen', 'Résumé of passwords and resets', ''];

  it('asks every word to begin a word of the text', () => {
    expect(matches(texts, 'password reset')).toEqual([0, 2]);
    expect(matches(texts, 'PASS')).toEqual([0, 1, 2]);
    expect(matches(texts, 'resume')).toEqual([2]);
    expect(matches(texts, 'word')).toEqual([]);
    expect(matches(texts, 'zuruck pass')).toEqual([1]);
  });

  it('matches everything where no word is asked for', () => {
    expect(matches(texts, ' ')).toEqual([0, 1, 2, 3]);
  });

  it('finds what comparing word by word finds', () => {
    const word = fc.stringMatching(/^[abÀé1]{1,3}$/);
    const text = fc.array(word, { maxLength: 5 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), text, (all, wanted) => {
        const plain = all.flatMap((one, place) =>
          wordsOf(wanted).every((prefix) => wordsOf(one).some((found) => found.startsWith(prefix))) ? [place] : [],
        );
        expect(matches(all, wanted)).toEqual(plain);
      }),
    );
  });
});
