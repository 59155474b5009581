import type { Edits } from '../../resource/change.ts';
import type { RecordFieldsOf } from '../../resource/field.ts';
import { importRecords, namingEdits, type Refusals } from '../../resource/records.ts';
import { isOlder, recordTime, written } from '../../resource/write-time.ts';
import { keys, members } from '../../store/keys.ts';
import { readHeads, type SiteTable } from '../../store/site-table.ts';
import type { BatchedWrite } from '../../store/table.ts';
import { type Article, type StoredTranslation, translationIn } from './article.ts';
import { ARTICLE_STORING, articleEdits, articleRemoval } from './change.ts';
import { ARTICLE, type ARTICLE_TRANSLATION, TEXTS } from './fields.ts';
import {
  type ArticleTexts,
  articleTranslationAfter,
  describeTexts,
  isSameTexts,
  NO_ARTICLE_TEXTS,
  readTexts,
  sweepArticle,
  sweepTexts,
  type TextOf,
  type TextPlace,
  textsAfter,
  textWrites,
} from './texts.ts';

/** A record; the newest one wins (docs/import.md). */
interface Recorded {
  readonly publish_at?: number | null; // epoch ms
  readonly deleted?: boolean;
  readonly created_at?: number; // epoch ms
  readonly updated_at?: number; // epoch ms
}

export type ArticleRecord = Recorded & RecordFieldsOf<typeof ARTICLE.fields> & Pick<Article, 'id'>;

export type ArticleTranslationRecord = Recorded &
  RecordFieldsOf<typeof ARTICLE_TRANSLATION.fields> & {
    readonly article: number;
    readonly locale: string; // normalised
  };

/** Where records of translations go. */
interface TranslationTarget extends SiteTable {
  readonly defaultLocale: string; // the site's
}

/** The names of the text fields, which do not lie in an article's own item. */
const TEXT_FIELDS: ReadonlySet<string> = new Set([...Object.keys(TEXTS), 'internal_notes']);

const hasTexts = (record: object): boolean => Object.keys(record).some((field) => TEXT_FIELDS.has(field));

const AT_ONCE = 80; // whose texts are read together

/** Writes records of articles under their ids, in their order. */
export const takeArticles = (target: SiteTable, records: readonly ArticleRecord[]): Promise<Refusals> =>
  importRecords(target, records, {
    nameOf: ({ id }) => id,
    atOnce: AT_ONCE,
    begin: async (some) => {
      const batch = await textBatch(target, some.filter(hasTexts));
      const { articles } = batch;
      return {
        ...batch,
        take: (record) =>
          takeArticle(batch, target.now, record) ?? namingEdits(articles, ARTICLE_STORING, members.item(record.id)),
      };
    },
  });

/** Writes records of translations of articles, in their order. */
export const takeArticleTranslationRecords = (
  target: TranslationTarget,
  records: readonly ArticleTranslationRecord[],
): Promise<Refusals> =>
  importRecords(target, records, {
    nameOf: ({ article, locale }) => `${article} ${locale}`,
    atOnce: AT_ONCE,
    begin: async (some) => {
      const batch = await textBatch(
        target,
        some.map(({ article, locale }) => ({ id: article, locale })),
      );
      return { ...batch, take: (record) => takeTranslation(batch, target, record) };
    },
  });

type TextBatch = Awaited<ReturnType<typeof textBatch>>;

/** The articles with the stored texts of some places, and the writes of texts that wait. */
async function textBatch({ site, table, collections }: SiteTable, places: readonly TextPlace[]) {
  const partition = keys.reference(site, 'article');
  const open = await readHeads({ table, collections }, [partition]);
  const articles = await open(partition);
  const drafts = new Map<number, Article>(); // with the translations of records before
  const find = (id: number): Article | undefined => {
    const item = articles.items.get(members.item(id));
    return drafts.get(id) ?? (item === undefined || item.deleted === true ? undefined : ARTICLE.parse(item));
  };
  const asked = places.flatMap(({ id, locale }): TextOf[] => {
    const article = find(id);
    const of = article && (locale === undefined ? article : translationIn(article, locale));
    return of === undefined ? [] : [{ id, locale, of }];
  });
  const texts = await readTexts(table, site, asked);
  const stored = new Map(asked.map((place, nth) => [placeName(place), texts[nth]]));
  const writes: BatchedWrite[] = [];
  const swept: TextPlace[] = []; // of which a crash may have left texts
  const removed: number[] = []; // articles
  return {
    open,
    articles,
    drafts,
    find,
    swept,
    removed,
    textsOf: (place: TextPlace): ArticleTexts => stored.get(placeName(place)) ?? NO_ARTICLE_TEXTS,
    write: (place: TextPlace, before: ArticleTexts, after: ArticleTexts): void =>
      void writes.push(...textWrites(site, place, before, after)),
    /** Texts have too many bytes for one transaction: they are written before it and deleted after it. */
    around: async (work: () => Promise<void>): Promise<void> => {
      // A reader of the new version needs what is put, one of the old version what is deleted.
      const [puts, deletes] = [writes.filter(isPut), writes.filter((write) => !isPut(write))];
      if (puts.length > 0) await table.batchWrite(puts);
      await work();
      if (deletes.length > 0) await table.batchWrite(deletes);
      if (swept.length > 0) await sweepTexts(table, site, swept);
      for (const id of removed) await sweepArticle(table, site, id);
    },
  };
}

const placeName = ({ id, locale = '' }: TextPlace): string => `${id} ${locale}`;
const isPut = (write: BatchedWrite): boolean => 'put' in write;

function takeArticle(
  { articles, textsOf, write, removed }: TextBatch,
  now: number,
  record: ArticleRecord,
): Edits | undefined {
  const { id } = record;
  const time = recordTime(record, now);
  const item = articles.items.get(members.item(id));
  const stored = item && ARTICLE.parse(item);
  const isGone = item?.deleted === true;
  if (isOlder(time, stored)) return undefined;
  if (record.deleted ?? isGone) {
    removed.push(id); // also again: an import that was killed before it swept is repeated
    const subject = record.subject ?? stored?.subject ?? '';
    const before = isGone && stored ? { subject: stored.subject, updated_at: stored.updated_at } : undefined;
    const isSame = written(before, { subject, updated_at: time.at }, time) === before;
    return isSame ? undefined : articleRemoval(articles, { id, subject }, time.at);
  }
  const own = hasTexts(record) ? textsOf({ id }) : undefined;
  const texts = own && textsAfter(own, record, () => null);
  const before = isGone ? undefined : stored && withoutNulls(stored);
  const after = written(before, articleAfter(stored, record, texts), time);
  const isRetold = own !== undefined && texts !== undefined && !isSameTexts(own, texts);
  if (after === before && !isRetold) return undefined;
  if (own && texts) write({ id }, own, texts);
  return articleEdits(articles, { ...after, updated_at: time.at });
}

/** An article after a record: null clears a field. `texts`: as they become, if the record names some. */
function articleAfter(before: Article | undefined, record: ArticleRecord, texts: ArticleTexts | undefined): Article {
  const { deleted: _, updated_at: __, ...rest } = record;
  const fields = Object.fromEntries(Object.entries(rest).filter(([field]) => !TEXT_FIELDS.has(field)));
  const described = texts ? describeTexts(texts) : before ? {} : describeTexts(NO_ARTICLE_TEXTS);
  const item = { pk: '', sk: '', ...withoutNulls({ ...before, ...fields }), ...described };
  return withoutNulls(ARTICLE.parse(item));
}

/** Fields of which null tells something else than nothing: an article that is a draft, or in no support center. */
const TOLD: ReadonlySet<string> = new Set(['body_hash', 'publish_at', 'in_support_center']);

/** An object without the fields that null has cleared. */
const withoutNulls = <T extends object>(all: T): T =>
  Object.fromEntries(Object.entries(all).filter(([field, value]) => value !== null || TOLD.has(field))) as T;

function takeTranslation(
  { articles, drafts, find, textsOf, write, swept }: TextBatch,
  { now, defaultLocale }: TranslationTarget,
  record: ArticleTranslationRecord,
): Edits | string | undefined {
  const { article: id, locale } = record;
  const time = recordTime(record, now);
  const article = find(id);
  if (article === undefined) return record.deleted ? undefined : `article: ${id} is not an article of this site`;
  if (locale === defaultLocale) return `locale: the text in ${locale} is the article's own`;
  const stored = Object.hasOwn(article.translations, locale) ? article.translations[locale] : undefined;
  if (isOlder(time, stored)) return undefined;
  const place = { id, locale };
  const own = textsOf(place);
  const withTranslation = (translation: StoredTranslation): Edits => {
    const after = { ...article, translations: { ...article.translations, [locale]: translation } };
    drafts.set(id, after);
    return articleEdits(articles, after);
  };
  const gone = stored !== undefined && 'deleted' in stored ? stored : undefined;
  if (record.deleted ?? gone !== undefined) {
    if (gone) {
      swept.push(place);
      return undefined;
    }
    write(place, own, NO_ARTICLE_TEXTS);
    return withTranslation({ deleted: true, updated_at: time.at });
  }
  const before = translationIn(article, locale);
  const texts = textsAfter(own, record, () => null);
  const after = articleTranslationAfter(before, record, texts, time);
  if (after === before && isSameTexts(own, texts)) return undefined;
  write(place, own, texts);
  return withTranslation({ ...after, updated_at: time.at });
}
