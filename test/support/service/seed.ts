import { keys, members } from '../../../lib/store/keys.ts';
import type { Table } from '../../../lib/store/table.ts';
import { writeReferences } from '../generators/reference.ts';

export interface SeedBrand {
  readonly id: number;
  readonly name?: string;
  readonly deleted?: boolean;
}

export interface SeedArticle {
  readonly id: number;
  readonly subject?: string;
  readonly body?: string;
  readonly topics?: readonly number[];
  readonly brands?: readonly number[];
  readonly deleted?: boolean;
}

const AT = Date.parse('2026-01-01T00:00:00Z');

/** Writes any number of brand records, as an import would. */
export async function seedBrands(table: Table, site: string, brands: readonly SeedBrand[]): Promise<void> {
  const usual = { deleted: false, created_at: AT, updated_at: AT };
  const records = brands.map((brand) => ({ name: `Brand ${brand.id}`, ...usual, ...brand }));
  await writeReferences(table, site, 'brand', records);
}

/**
 * Writes any number of article records, as an import would: their bodies before the version of the collection rises.
 */
export async function seedArticles(table: Table, site: string, articles: readonly SeedArticle[]): Promise<void> {
  const { pk } = keys.articleText(site);
  await table.batchWrite(articles.map(({ id, body = '' }) => ({ put: { pk, sk: members.articleText(id), body } })));
  const usual = { topics: [], brands: [], deleted: false, updated_at: AT };
  const records = articles.map(({ body, ...article }) => ({ subject: `Article ${article.id}`, ...usual, ...article }));
  await writeReferences(table, site, 'article', records);
}
