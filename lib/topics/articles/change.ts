import type { Edits } from '../../resource/change.ts';
import { recordsOf } from '../../resource/storing.ts';
import type { Collection } from '../../store/collection.ts';
import { members } from '../../store/keys.ts';
import type { Item } from '../../store/table.ts';
import type { Article } from './article.ts';

/** How articles lie among the reference records. A deleted one stays by its subject. */
export const ARTICLE_STORING = recordsOf('article');

/** An item that is written even if it is the same: texts that lie beside (`texts.ts`) may have changed with it. */
const written = (collection: Collection, item: Omit<Item, 'pk' | 'sk'> & { readonly id: number }): Edits => ({
  collection,
  storing: ARTICLE_STORING,
  edits: [{ before: undefined, after: { pk: collection.pk, sk: members.item(item.id), ...item } }],
});

/** Writes an article as it becomes, with its translations. */
export const articleEdits = (articles: Collection, article: Article): Edits =>
  written(articles, { deleted: false, ...article });

/** Deletes an article with its translations. Its subject stays, for meta and old reports; `updated_at` in epoch ms. */
export const articleRemoval = (
  articles: Collection,
  { id, subject }: Pick<Article, 'id' | 'subject'>,
  updated_at: number,
): Edits => written(articles, { id, subject, deleted: true, body_hash: null, updated_at });
