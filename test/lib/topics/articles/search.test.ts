import fc from 'fast-check';
import { wordsOf } from '../../../../lib/access/words.ts';
import { newMadeOnce } from '../../../../lib/memo.ts';
import { prepareArticles } from '../../../../lib/topics/articles/article.ts';
import { newIndex, type Searched, searchIndex, updateIndex } from '../../../../lib/topics/articles/search-index.ts';
import { turnsDuring } from '../../../support/service/turns.ts';

const article = (id: number, print = ''): Searched => ({ id, subject: '', print });

/** Which of the texts match, by their places. */
async function matches(texts: readonly string[], wanted: string): Promise<number[]> {
  const index = newIndex();
  const all = texts.map((_, place) => article(place));
  await updateIndex(index, all, async (some) =>
    some.map(
      ({ id }) =>
        () =>
          texts[id] ?? '',
    ),
  );
  return [...searchIndex(index, [...new Set(wordsOf(wanted))].sort()).keys()];
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

  it('asks every word to begin a word of the text', async () => {
    expect(await matches(texts, 'password reset')).toEqual([0, 2]);
    expect(await matches(texts, 'PASS')).toEqual([0, 1, 2]);
    expect(await matches(texts, 'resume')).toEqual([2]);
    expect(await matches(texts, 'word')).toEqual([]);
    expect(await matches(texts, 'zuruck pass')).toEqual([1]);
  });

  it('matches everything where no word is asked for', async () => {
    expect(await matches(texts, ' ')).toEqual([0, 1, 2, 3]);
  });

  it('finds what comparing word by word finds', async () => {
    const word = fc.stringMatching(/^[abÀé1]{1,3}$/);
    const text = fc.array(word, { maxLength: 5 }).map((words) => words.join(' '));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 8 }), text, async (all, wanted) => {
        const plain = all.flatMap((one, place) =>
          wordsOf(wanted).every((prefix) => wordsOf(one).some((found) => found.startsWith(prefix))) ? [place] : [],
        );
        expect(await matches(all, wanted)).toEqual(plain);
      }),
    );
  });

  it('reads only what is new, and no longer finds what a text had before', async () => {
    const index = newIndex();
    const reads: number[][] = [];
    const update = (all: readonly Searched[], texts: Readonly<Record<string, string>>) =>
      updateIndex(index, all, async (some) => {
        reads.push(some.map(({ id }) => id));
        return some.map(
          ({ print }) =>
            () =>
              texts[print] ?? '',
        );
      });
    await update([article(1, 'a'), article(2, 'b')], { a: 'tea pot', b: 'tea cup' });
    await update([article(1, 'c'), article(2, 'b')], { c: 'kettle' });
    await update([article(1, 'c'), article(2, 'b')], {});
    expect(reads).toEqual([[1, 2], [1]]);
    expect([...searchIndex(index, ['TEA']).keys()]).toEqual([2]);
    expect([...searchIndex(index, ['K']).keys()]).toEqual([1]);
  });

  it('stays as small as what it holds, however often texts change', async () => {
    const index = newIndex();
    for (let version = 0; version < 500; version += 1)
      await updateIndex(index, [article(1, String(version))], async () => [() => `word${version}`]);
    expect(index.slots.length).toBeLessThan(100);
    expect([...searchIndex(index, ['WORD499']).keys()]).toEqual([1]);
    expect([...searchIndex(index, ['WORD498']).keys()]).toEqual([]);
  });

  it('counts the words that begin one of the subject', async () => {
    const index = newIndex();
    const all = [{ id: 1, print: '', subject: 'Invoices by post' }];
    await updateIndex(index, all, async () => [() => 'How to pay invoices']);
    expect([...searchIndex(index, wordsOf('inv pay po'))]).toEqual([[1, 2]]);
  });

  it('lets others have a turn between what is done once and what follows', async () => {
    const item = { pk: 'articles', sk: 'item#1', id: 1, subject: 'Invoices' };
    const items = new Map([[item.sk, item]]);
    const articles = { pk: 'articles', version: 1, order: [1], items, views: newMadeOnce() };
    expect(await turnsDuring(() => prepareArticles(articles))).toBeGreaterThanOrEqual(2);
    expect(await turnsDuring(() => prepareArticles(articles))).toBe(0);
    const index = newIndex();
    const update = () => updateIndex(index, [article(1)], async () => [() => 'How to pay']);
    expect(await turnsDuring(update)).toBeGreaterThanOrEqual(1);
    expect(await turnsDuring(update)).toBe(0);
  });

  it.each([
    ['of many lines', 'How to pay invoices by post\n'.repeat(40), 40],
    ['of one long line', 'How to pay invoices by post. '.repeat(400), 11],
    ['without spaces', '商品の送料はどのくらいですか。'.repeat(400), 6],
  ])('lets others have a turn within each text %s, the first time', async (_, text, steps) => {
    const time = jest.spyOn(performance, 'now');
    let at = 0;
    time.mockImplementation(() => (at += 1_000)); // every step takes longer than a spell may
    const index = newIndex();
    const turns: number[] = []; // of others, before each text
    let count = 0;
    const others = (): void => {
      count += 1;
      next = setImmediate(others);
    };
    let next = setImmediate(others);
    const all = Array.from({ length: 12 }, (_, id) => article(id));
    const read = (): string => {
      turns.push(count);
      return text;
    };
    await updateIndex(index, all, async (some) => some.map(() => read));
    clearImmediate(next);
    time.mockRestore();
    expect(turns).toHaveLength(12);
    for (const [nth, before] of turns.entries())
      if (nth > 0) expect(before - (turns[nth - 1] ?? 0)).toBeGreaterThanOrEqual(steps);
  });

  it('finds the words on both sides of where a long text is cut', async () => {
    const words = Array.from({ length: 900 }, (_, n) => `word${n}`);
    for (const between of [' ', ', ', '。']) {
      const index = newIndex();
      await updateIndex(index, [article(0)], async () => [() => words.join(between)]);
      expect(words.filter((word) => !searchIndex(index, wordsOf(word)).has(0))).toEqual([]);
      expect(searchIndex(index, ['ORD']).size).toBe(0);
    }
  });
});
