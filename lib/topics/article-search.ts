import * as z from 'zod';
import type { Context } from '../context.ts';
import { type Collection, perVersion } from '../store/collection.ts';
import { keys, members } from '../store/keys.ts';
import { type Article, type ArticleCounts, articlesOf, countOf } from './article.ts';

/**
 * An inverted index of a site's articles. Words are sorted, and `positions` follows them, so that all words with one
 * prefix are one range of `positions`.
 */
interface Index {
  readonly articles: readonly Article[];
  readonly words: readonly string[]; // folded, sorted
  readonly starts: readonly number[]; // start of each word's range in `positions`, and one more at the end
  readonly positions: Uint32Array; // indices in `articles` of those with the word
  readonly answers: Map<string, ArticleCounts>; // by the searched words
}

const REMEMBERED = 200; // answers kept for one version of the articles
const textItem = z.object({ body: z.string().nullish() });

/**
 * Counts the articles of each topic that match a text: every word of the text begins a word of subject or body,
 * ignoring case and accents (docs/interface.md). The index is built once for each version of the articles.
 */
export async function countMatches(context: Context, articles: Collection, text: string): Promise<ArticleCounts> {
  const index = await indexOf(context, articles);
  const wanted = [...new Set(wordsOf(text))].sort();
  const known = wanted.join(' ');
  const answer = index.answers.get(known) ?? countOf(search(index, wanted).map(({ topics }) => topics));
  if (index.answers.size >= REMEMBERED) index.answers.clear();
  index.answers.set(known, answer);
  return answer;
}

/** The articles that match a text, as `countMatches` counts them. */
export async function matchArticles(context: Context, articles: Collection, text: string): Promise<readonly Article[]> {
  return search(await indexOf(context, articles), [...new Set(wordsOf(text))].sort());
}

/** Requests that arrive while the index is being built wait for it; a failed build is repeated by the next request. */
async function indexOf(context: Context, articles: Collection): Promise<Index> {
  const slot = perVersion(articles, emptySlot);
  slot.index ??= makeIndex(context, articles);
  try {
    return await slot.index;
  } catch (error) {
    delete slot.index;
    throw error;
  }
}

const emptySlot = (): { index?: Promise<Index> } => ({});

async function makeIndex({ table, site }: Context, collection: Collection): Promise<Index> {
  const articles = articlesOf(collection);
  const texts = await table.query(keys.articleText(site.name).pk, { prefix: 'article#', attributes: ['body'] });
  const bodies = new Map(texts.map((item) => [item.sk, textItem.parse(item).body ?? '']));
  return index(articles, ({ id, subject }) => `${subject}\n${bodies.get(members.articleText(id)) ?? ''}`);
}

/** Builds an index; `textOf` returns the text in which an article is searched. */
export function index(articles: readonly Article[], textOf: (article: Article) => string): Index {
  const found = new Map<string, number[]>();
  for (const [position, article] of articles.entries()) {
    for (const word of new Set(wordsOf(textOf(article)))) {
      const positions = found.get(word);
      if (positions) positions.push(position);
      else found.set(word, [position]);
    }
  }
  const words = [...found.keys()].sort();
  const starts = [0];
  for (const word of words) starts.push((starts.at(-1) ?? 0) + (found.get(word)?.length ?? 0));
  const positions = new Uint32Array(starts.at(-1) ?? 0);
  for (const [nth, word] of words.entries()) positions.set(found.get(word) ?? [], starts[nth]);
  return { articles, words, starts, positions, answers: new Map() };
}

/** The articles in which every one of the folded words begins a word. */
export function search({ articles, words, starts, positions }: Index, wanted: readonly string[]): readonly Article[] {
  const hits = new Uint32Array(articles.length); // how many of the wanted words, in their order, each article has
  for (const [nth, prefix] of wanted.entries()) {
    const from = starts[firstFrom(words, (word) => word >= prefix)] ?? 0;
    const to = starts[firstFrom(words, (word) => word >= prefix && !word.startsWith(prefix))] ?? 0;
    for (const position of positions.subarray(from, to)) if (hits[position] === nth) hits[position] = nth + 1;
  }
  return articles.filter((_, position) => hits[position] === wanted.length);
}

/** The index of the first word for which `beyond` is true, as for all after it (binary search). */
function firstFrom(words: readonly string[], beyond: (word: string) => boolean): number {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (beyond(words[middle] ?? '')) high = middle;
    else low = middle + 1;
  }
  return low;
}

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
