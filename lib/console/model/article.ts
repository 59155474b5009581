/** An article as the API shows it, in the fields that the console uses. */
export interface Article {
  readonly id: number;
  readonly subject: string;
  readonly body: string | null; // HTML, as it was sent
  readonly keywords: string | null;
  readonly quickcode: string | null;
  readonly internal_notes: string | null;
  readonly position: number;
  readonly in_support_center: boolean | null; // null: as one of its topics is
  readonly publish_at: string | null; // null: a draft
  readonly updated_at: string;
  readonly _links: { readonly topics: readonly Linked[]; readonly brands: readonly Linked[] };
}

interface Linked {
  readonly href: string;
}

export interface ArticleTranslation {
  readonly locale: string;
  readonly subject: string;
  readonly body: string | null;
  readonly outdated: boolean;
}

/** The ids that links lead to: 5 for `/api/v2/topics/5`. */
export const idsOf = (links: readonly Linked[]): number[] =>
  links.map(({ href }) => Number(href.slice(href.lastIndexOf('/') + 1)));

/** Whether readers see an article, will see it, or do not. */
export type Visibility = 'shown' | 'scheduled' | 'draft' | 'internal';

/** What readers see of an article at a moment (epoch ms); an article that follows its topics counts as shown. */
export function visibilityOf(article: Pick<Article, 'in_support_center' | 'publish_at'>, now: number): Visibility {
  if (article.in_support_center === false) return 'internal';
  if (article.publish_at === null) return 'draft';
  return Date.parse(article.publish_at) > now ? 'scheduled' : 'shown';
}
