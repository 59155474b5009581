import type { JSX } from 'preact';
import { ArticlePage } from './article.tsx';
import { ArticlesList } from './list.tsx';

interface ArticlesProps {
  readonly id: string | undefined;
  readonly query: URLSearchParams;
}

/** The pages of articles: their list, or one of them. Loaded when the first of them is opened. */
export const Articles = ({ id, query }: ArticlesProps): JSX.Element =>
  id === undefined ? <ArticlesList query={query} /> : <ArticlePage key={id} id={id} />;
