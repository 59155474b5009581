import { createCollections } from '../../lib/store/collection.ts';
import { keys, members, type ReferenceKind } from '../../lib/store/keys.ts';
import type { Item, Table } from '../../lib/store/table.ts';

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

/** Writes brand records as an import would; any number of them. */
export async function seedBrands(table: Table, site: string, brands: readonly SeedBrand[]): Promise<void> {
  const times = { created_at: AT, updated_at: AT };
  await seed(
    table,
    site,
    'brand',
    brands.map((brand) => ({ name: `Brand ${brand.id}`, deleted: false, ...times, ...brand })),
  );
}

/** Writes article records as an import would, their bodies first; any number of them. */
export async function seedArticles(table: Table, site: string, articles: readonly SeedArticle[]): Promise<void> {
  const { pk } = keys.articleText(site);
  await table.batchWrite(articles.map(({ id, body = '' }) => ({ put: { pk, sk: members.articleText(id), body } })));
  await seed(
    table,
    site,
    'article',
    articles.map(({ body, ...article }) => ({
      subject: `Article ${article.id}`,
      topics: [],
      brands: [],
      deleted: false,
      updated_at: AT,
      ...article,
    })),
  );
}

/** Puts members into a reference collection and raises its version. */
async function seed(
  table: Table,
  site: string,
  kind: ReferenceKind,
  records: readonly { readonly id: number }[],
): Promise<void> {
  const { pk } = keys.reference(site, kind);
  const items: Item[] = records.map((record) => ({ pk, sk: members.item(record.id), ...record }));
  await table.batchWrite(items.map((put) => ({ put })));
  const collections = createCollections();
  const collection = await collections.open(table, { pk }, await table.get(keys.head({ pk })));
  await collections.commit(table, [{ collection }]);
}
