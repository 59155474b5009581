import { type ImportTarget, openCollection } from '../../store/import-target.ts';
import { keys, members } from '../../store/keys.ts';
import { type RecordDraft, waitingItems } from '../../store/together.ts';
import { type Article, type ArticleTranslation, parseArticle, translationIn } from './article.ts';
import { type ArticleTexts, NO_ARTICLE_TEXTS, readTexts, sweepTexts, type TextOf, textWrites } from './texts.ts';
import { articleItem } from './write.ts';

/** Translations of some articles with changes that wait to be written together. */
export interface TranslationDraft extends RecordDraft<unknown> {
  readonly find: (article: number) => Article | undefined;
  readonly texts: (article: number, locale: string) => ArticleTexts;
  readonly place: (article: Article, locale: string, translation: ArticleTranslation, texts: ArticleTexts) => void;
  /** Removes a translation; `at` undefined: it is gone, but a crash may have left its texts. `at` in epoch ms. */
  readonly remove: (article: Article, locale: string, at: number | undefined) => void;
}

/** A translation by its article and locale. */
interface TranslationKey {
  readonly article: number;
  readonly locale: string;
}

/** DraftedTexts of a translation. */
interface DraftedTexts {
  readonly id: number; // of the article
  readonly locale: string;
  readonly before: ArticleTexts; // as stored
  readonly after: ArticleTexts;
  readonly isGone?: boolean; // with the translation
}

const BESIDE = 2; // writes besides those that wait: the head, and one more article

const nameOf = (article: number, locale: string): string => `${article} ${locale}`;

/** Opens a draft of the translations that the next records name, with their texts. */
export async function draftTranslations(
  target: ImportTarget,
  next: readonly TranslationKey[],
): Promise<TranslationDraft> {
  const { site, table, collections } = target;
  const articles = await openCollection(target, keys.reference(site, 'article'));
  const waits = waitingItems(articles);
  const find = (id: number): Article | undefined => {
    const item = waits.get(members.item(id));
    return item === undefined || item.deleted === true ? undefined : parseArticle(item);
  };
  const texts = await textsOf(target, next, find);

  function change(article: Article, locale: string, translation: Article['translations'][string]): void {
    const translations = { ...article.translations, [locale]: translation };
    waits.put(articleItem(articles, { ...article, translations }));
  }

  function retell(id: number, locale: string, after: Pick<DraftedTexts, 'after' | 'isGone'>): void {
    const before = texts.get(nameOf(id, locale))?.before ?? NO_ARTICLE_TEXTS;
    texts.set(nameOf(id, locale), { id, locale, before, ...after });
  }

  return {
    find,
    texts: (id, locale) => texts.get(nameOf(id, locale))?.after ?? NO_ARTICLE_TEXTS,
    place: (article, locale, translation, after) => {
      change(article, locale, translation);
      retell(article.id, locale, { after });
    },
    remove: (article, locale, at) => {
      if (at !== undefined) change(article, locale, { deleted: true, updated_at: at });
      retell(article.id, locale, { after: NO_ARTICLE_TEXTS, isGone: true });
    },
    waiting: () => {
      const { items, bytes } = waits.waiting();
      return { items: items + BESIDE, bytes };
    },
    write: async () => {
      const all = [...texts.values()];
      const kept = all.filter(({ isGone }) => isGone !== true);
      // DraftedTexts are written first, so that a reader of the new version finds them, and swept last.
      await table.batchWrite(kept.flatMap(({ before, after, ...place }) => textWrites(site, place, before, after)));
      if (waits.waiting().items > 0) await collections.commit(table, [waits.change()]);
      await sweepTexts(
        table,
        site,
        all.filter(({ isGone }) => isGone === true),
      );
    },
  };
}

/** The stored texts of the translations that records name, by name. */
async function textsOf(
  { table, site }: ImportTarget,
  next: readonly TranslationKey[],
  find: (article: number) => Article | undefined,
): Promise<Map<string, DraftedTexts>> {
  const wanted = new Map<string, TextOf & { readonly locale: string }>();
  for (const { article: id, locale } of next) {
    const article = find(id);
    const of = article && translationIn(article, locale);
    if (of !== undefined) wanted.set(nameOf(id, locale), { id, locale, of });
  }
  const all = [...wanted];
  const found = await readTexts(
    table,
    site,
    all.map(([, place]) => place),
  );
  return new Map(
    all.map(([name, { id, locale }], place) => {
      const stored = found[place] ?? NO_ARTICLE_TEXTS;
      return [name, { id, locale, before: stored, after: stored }];
    }),
  );
}
