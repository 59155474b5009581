import type { Context } from '../../context.ts';
import { type Faults, notFound } from '../../errors.ts';
import { idOf } from '../../http/fields.ts';
import { type Reply, show } from '../../http/reply.ts';
import type { Call } from '../../http/route.ts';
import { openLibrary } from '../library.ts';
import { type Article, articlesOf } from './article.ts';
import type { ArticleTranslationFields } from './fields.ts';
import { portalOf, type Shelf, showArticleTranslation } from './shown.ts';
import { type ArticleTexts, NO_ARTICLE_TEXTS, readTexts } from './texts.ts';
import { articleChange, planArticleUpdate } from './write.ts';

/** An article in the path of a request. */
export interface FoundArticle {
  readonly shelf: Shelf;
  readonly article: Article;
}

/** An article with its own texts. */
export interface WholeArticle extends FoundArticle {
  readonly texts: ArticleTexts;
}

export async function openShelf(context: Context): Promise<Shelf> {
  return { library: await openLibrary(context), portal: portalOf(context) };
}

type Finding = Pick<Call, 'context' | 'params'>;

/** A route's `find`: returns the article in the path; throws `not_found`. */
export async function findArticle({ context, params }: Finding): Promise<FoundArticle> {
  const id = idOf(params.article_id);
  const shelf = await openShelf(context);
  const article = articlesOf(shelf.library.articles).get(id);
  if (article === undefined) throw notFound(`article ${id}`);
  return { shelf, article };
}

/** The same with the article's own texts. */
export async function findWhole({ context, params }: Finding): Promise<WholeArticle> {
  const { shelf, article } = await findArticle({ context, params });
  const [texts = NO_ARTICLE_TEXTS] = await readTexts(context.table, context.site.name, [
    { id: article.id, of: article },
  ]);
  return { shelf, article, texts };
}

/** Updates an article by its translation in the default locale, which is one value with it. */
export async function writeOwn(
  context: Context,
  { shelf, article, locale, texts }: WholeArticle & { readonly locale: string },
  { locale: _locale, outdated, ...fields }: ArticleTranslationFields,
  faults: Faults,
): Promise<Reply> {
  if (outdated === true)
    faults.explain('invalid', ['outdated'], { message: 'The text in the default locale is never outdated.' });
  const before = { article, texts };
  const after = await planArticleUpdate(context, shelf, before, { fields, faults });
  faults.check();
  if (after !== before) {
    const { change, writes } = articleChange(shelf, after, texts);
    await context.commit([change], undefined, writes);
  }
  return show(showArticleTranslation(shelf, after.article, locale, after.texts));
}
