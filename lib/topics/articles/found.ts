import type { Context } from '../../context.ts';
import { type Faults, notFound } from '../../errors.ts';
import { idOf } from '../../http/fields.ts';
import { type Reply, show } from '../../http/reply.ts';
import type { Call } from '../../http/route.ts';
import { type Article, articlesOf } from './article.ts';
import type { ArticleTranslationFields } from './fields.ts';
import { openShownIn, type ShownIn, showArticleTranslation } from './shown.ts';
import { type ArticleTexts, NO_ARTICLE_TEXTS, readTexts } from './texts.ts';
import { commitArticle, planArticleUpdate } from './write.ts';

/** An article in the path of a request. */
export interface ArticleTarget {
  readonly shownIn: ShownIn;
  readonly article: Article;
}

/** An article with its own texts. */
export interface WholeArticle extends ArticleTarget {
  readonly texts: ArticleTexts;
}

type Finding = Pick<Call, 'context' | 'params'>;

/** A route's `find`: returns the article in the path; throws `not_found`. */
export async function findArticle({ context, params }: Finding): Promise<ArticleTarget> {
  const id = idOf(params.article_id);
  const shownIn = await openShownIn(context);
  const article = articlesOf(shownIn.library.articles).get(id);
  if (article === undefined) throw notFound(`article ${id}`);
  return { shownIn, article };
}

/** The same with the article's own texts. */
export async function findWhole({ context, params }: Finding): Promise<WholeArticle> {
  const { shownIn, article } = await findArticle({ context, params });
  const [texts = NO_ARTICLE_TEXTS] = await readTexts(context.table, context.site.name, [
    { id: article.id, of: article },
  ]);
  return { shownIn, article, texts };
}

/** Updates an article by its translation in the default locale, which is one value with it. */
export async function writeOwn(
  context: Context,
  { shownIn, article, locale, texts }: WholeArticle & { readonly locale: string },
  { locale: _locale, outdated, ...fields }: ArticleTranslationFields,
  faults: Faults,
): Promise<Reply> {
  if (outdated === true)
    faults.explain('invalid', ['outdated'], { message: 'The text in the default locale is never outdated.' });
  const before = { article, texts };
  const after = await planArticleUpdate(context, shownIn, before, { fields, faults });
  faults.check();
  if (after !== before) {
    await commitArticle(context, shownIn, { ...after, before: texts });
  }
  return show(showArticleTranslation(shownIn, after.article, locale, after.texts));
}
