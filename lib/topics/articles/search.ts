import { wordsOf } from '../../access/words.ts';
import type { Context } from '../../context.ts';
import { putLast } from '../../put-last.ts';
import { type Collection, perVersion } from '../../store/collection.ts';
import { type Article, type ArticleCounts, articlesOf, countOf, translationIn } from './article.ts';
import { plainText } from './plain-text.ts';
import { newIndex, type Searched, type SearchIndex, searchIndex, updateIndex } from './search-index.ts';
import { readBodies } from './texts.ts';

/** Ids of articles, each with how many of the searched words begin a word of its subject. */
export type Scores = ReadonlyMap<number, number>;

/** The language of a search: a locale, or undefined for the articles' own texts. */
type Language = string | undefined;

const REMEMBERED = 200; // answers kept for one version of the articles
const INDEXES = 8; // indexes in memory: one a site and language

interface KeptIndex {
  readonly index: SearchIndex;
  readonly added: number | undefined; // tells a site from a removed one of its name
  version: number; // of the articles that it has
  work: Promise<void>; // the update under way, or the last one
}

/**
 * The articles in which every word of a text begins a word of the subject, the body's text or the keywords, ignoring
 * case and accents (docs/interface.md). The index is built when the language is searched first, and brought up to date
 * by the first search of each version of the articles.
 */
export async function searchArticles(
  context: Context,
  articles: Collection,
  text: string,
  language: Language,
): Promise<Scores> {
  const wanted = [...new Set(wordsOf(text))].sort();
  const answers = perVersion(articles, newAnswers);
  const name = `${language ?? ''} ${wanted.join(' ')}`;
  const answer = answers.get(name);
  if (answer) return answer;
  const scores = searchIndex(await currentIndex(context, articles, language), wanted);
  putLast(answers, name, scores, REMEMBERED);
  return scores;
}

const newAnswers = (): Map<string, Scores> => new Map();

/** Counts the articles of each topic that a search finds. */
export async function countMatches(
  context: Context,
  articles: Collection,
  text: string,
  language: Language,
): Promise<ArticleCounts> {
  const scores = await searchArticles(context, articles, text, language);
  const byId = articlesOf(articles);
  return countOf([...scores.keys()].flatMap((id) => (byId.has(id) ? [byId.get(id)?.topics ?? []] : [])));
}

const newIndexes = (): Map<string, KeptIndex> => new Map();

/** Requests that arrive while an index is being built wait for it; what has failed is tried again by the next one. */
async function currentIndex(context: Context, articles: Collection, language: Language): Promise<SearchIndex> {
  const indexes = context.shared(newIndexes);
  const name = `${articles.pk} ${language ?? ''}`;
  const before = indexes.get(name);
  const { version, added } = articles;
  const indexed =
    before && before.added === added ? before : { index: newIndex(), added, version: 0, work: Promise.resolve() };
  putLast(indexes, name, indexed, INDEXES);
  if (indexed.version !== version) {
    indexed.work = indexed.work
      .catch(() => undefined)
      .then(() => searchedIn(articles, language))
      .then((searched) => updateIndex(indexed.index, searched, (some) => restOf(context, articles, some, language)))
      .then(() => {
        indexed.version = version;
      });
  }
  await indexed.work;
  return indexed.index;
}

/** What tells a text from an earlier one; those of imports of earlier versions are told by their time. */
const printOf = ({ body_hash, subject, updated_at }: Pick<Article, 'body_hash' | 'subject' | 'updated_at'>): string =>
  `${body_hash ?? updated_at} ${subject}`;

function searchedIn(articles: Collection, language: Language): Searched[] {
  return [...articlesOf(articles).values()].flatMap((article): Searched[] => {
    const { id, keywords } = article;
    const text = language === undefined ? article : translationIn(article, language);
    return text === undefined ? [] : [{ id, subject: text.subject, print: `${printOf(text)} ${keywords ?? ''}` }];
  });
}

/** The texts of bodies, each with its article's keywords; HTML is read when a text is asked for. */
async function restOf({ table, site }: Context, articles: Collection, some: readonly Searched[], locale: Language) {
  const byId = articlesOf(articles);
  const bodies = await readBodies(
    table,
    site.name,
    some.map(({ id }) => ({ id, locale })),
  );
  return some.map(
    ({ id }, nth) =>
      () =>
        `${byId.get(id)?.keywords ?? ''}\n${plainText(bodies[nth] ?? '')}`,
  );
}
