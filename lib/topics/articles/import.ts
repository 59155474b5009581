import { createHash } from 'node:crypto';
import { changesMember, type ImportTarget } from '../../store/import-target.ts';
import type { Item } from '../../store/table.ts';
import { type Refusals, takeTogether } from '../../store/together.ts';
import { parseArticle, TEXT_CHANNELS, type TextChannel } from './article.ts';
import { type ArticleTexts, describeTexts, NO_ARTICLE_TEXTS, readTexts, translationAfter } from './texts.ts';
import { draftTranslations, type TranslationDraft } from './translation-draft.ts';
import { isSameTexts } from './write.ts';

/** The texts of a record: an absent one stays, null removes it. */
export type ImportedTexts = {
  readonly [C in TextChannel as `body_${C}`]?: string | null;
} & {
  readonly [C in TextChannel as `body_${C}_auto`]?: boolean | null;
} & {
  readonly body?: string | null;
  readonly internal_notes?: string | null;
};

export interface ImportedArticleTranslation extends ImportedTexts {
  readonly article: number;
  readonly locale: string; // normalised
  readonly subject?: string; // absent only with `deleted`
  readonly outdated?: boolean | null;
  readonly publish_at?: number | null; // epoch ms
  readonly deleted?: boolean;
  readonly created_at?: number; // epoch ms
  readonly updated_at?: number; // epoch ms
}

/** The target of an import of translations. */
interface TranslationTarget extends ImportTarget {
  readonly defaultLocale: string; // the site's
}

/** The names of the text fields, which do not lie in an article's own item. */
export const TEXT_FIELDS: ReadonlySet<string> = new Set([
  ...['body', 'internal_notes'],
  ...TEXT_CHANNELS.flatMap((channel) => [`body_${channel}`, `body_${channel}_auto`]),
]);

/** The texts after a record. `_auto` true drops a channel's own text. */
export function mergeImportedTexts(before: ArticleTexts, record: ImportedTexts): ArticleTexts {
  const { body = before.body, internal_notes: notes = before.notes } = record;
  const channels: Partial<Record<TextChannel, string>> = {};
  for (const channel of TEXT_CHANNELS) {
    const [sent, automatic] = [record[`body_${channel}`], record[`body_${channel}_auto`]];
    const own = sent === undefined ? before.channels[channel] : (sent ?? undefined);
    if (own !== undefined && automatic !== true) channels[channel] = own;
  }
  return { body, channels, notes };
}

/** What an article's item says of its texts; the hash lets a new text raise the version of the collection. */
export function describeImported(texts: ArticleTexts) {
  const { channels, notes } = texts;
  const all = JSON.stringify([TEXT_CHANNELS.map((channel) => channels[channel] ?? null), notes]);
  return { ...describeTexts(texts), texts_hash: createHash('sha256').update(all).digest('hex') };
}

/** The texts that an article's item names; of a new or deleted one none. */
export async function textsOfItem(target: ImportTarget, item: Item | undefined): Promise<ArticleTexts> {
  if (item === undefined || item.deleted === true) return NO_ARTICLE_TEXTS;
  const article = parseArticle(item);
  const [texts = NO_ARTICLE_TEXTS] = await readTexts(target.table, target.site, [{ id: article.id, of: article }]);
  return texts;
}

/** Imports translations of articles, in their order. */
export const importArticleTranslations = (
  target: TranslationTarget,
  records: readonly ImportedArticleTranslation[],
): Promise<Refusals> =>
  takeTogether(records, {
    begin: (next) => draftTranslations(target, next),
    take: (draft, record) => takeTranslation(draft, target, record),
  });

function takeTranslation(
  draft: TranslationDraft,
  { now, defaultLocale }: TranslationTarget,
  record: ImportedArticleTranslation,
): string | undefined {
  const { article: id, locale, updated_at = now } = record;
  const article = draft.find(id);
  if (article === undefined) return record.deleted ? undefined : `article: ${id} is not an article of this site`;
  if (locale === defaultLocale) return `locale: the text in ${locale} is the article's own`;
  const known = article.translations[locale];
  if (known?.updated_at !== undefined && updated_at < known.updated_at) return undefined;
  const isGone = known !== undefined && 'deleted' in known;
  if (record.deleted ?? isGone) {
    draft.remove(article, locale, isGone ? undefined : updated_at);
    return undefined;
  }
  const before = isGone ? undefined : known;
  const old = draft.texts(id, locale);
  const texts = mergeImportedTexts(old, record);
  const after = translationAfter(before, record, texts, updated_at);
  const same = before && { ...before, updated_at: before.updated_at ?? 0 };
  if (!isSameTexts(old, texts) || changesMember(same, after, record)) draft.place(article, locale, after, texts);
  return undefined;
}
