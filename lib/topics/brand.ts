import * as z from 'zod';
import type { Faults } from '../errors.ts';
import { idShape, linkShape, timestampShape } from '../http/shapes.ts';
import { type Collection, perVersion } from '../store/collection.ts';
import { timestamp } from '../text.ts';
import type { ArticleCounts } from './articles/article.ts';
import { topicPath } from './topic.ts';

const brandItem = z.object({
  id: z.number(),
  name: z.string(),
  created_at: z.number(), // epoch ms
  updated_at: z.number(), // epoch ms
});

export type Brand = Readonly<z.infer<typeof brandItem>>;

export const articlesLinkShape = () => linkShape('article').extend({ count: z.int().nonnegative() });

/** The link to the articles of a brand, with their number. */
export const articlesLink = (id: number, counts: ArticleCounts) => ({
  href: `/api/v2/brands/${id}/articles`,
  class: 'article',
  count: counts.get(id) ?? 0,
});

/** A brand as a topic's list shows it. */
export const brandShape = () =>
  z.object({
    id: idShape(),
    name: z.string(),
    created_at: timestampShape(),
    updated_at: timestampShape(),
    _links: z.object({
      self: linkShape('brand'),
      articles: articlesLinkShape(),
    }),
  });

/** A site's brands by id; a deleted one counts as unknown. */
export const brandsOf = (collection: Collection): ReadonlyMap<number, Brand> => perVersion(collection, readBrands);

function readBrands({ items }: Collection): Map<number, Brand> {
  const brands = [...items.values()].filter(({ deleted }) => deleted !== true).map((item) => brandItem.parse(item));
  return new Map(brands.map((brand) => [brand.id, brand]));
}

/** The brands of a topic after a request, ascending; adds a fault for an unknown one. */
export function chooseBrands(
  before: readonly number[],
  sent: { readonly brand_ids?: readonly number[]; readonly brand_action?: 'append' | 'replace' },
  brands: Collection,
  faults: Faults,
): readonly number[] {
  const { brand_ids: ids, brand_action: action = 'append' } = sent;
  if (ids === undefined) return before;
  const siteBrands = brandsOf(brands);
  const missing = ids.findIndex((id) => !siteBrands.has(id));
  if (missing >= 0)
    faults.explain('not_found', ['brand_ids'], {
      field: `brand_ids.${missing}`,
      message: `There is no brand ${ids[missing]}.`,
    });
  const present = action === 'append' ? before : [];
  return [...new Set([...present, ...ids])].sort((a, b) => a - b);
}

export function showBrand(topic: number, { id, name, created_at, updated_at }: Brand, counts: ArticleCounts) {
  return {
    id,
    name,
    created_at: timestamp(created_at),
    updated_at: timestamp(updated_at),
    _links: {
      self: { href: `${topicPath(topic)}/brands/${id}`, class: 'brand' },
      articles: articlesLink(id, counts),
    },
  };
}
