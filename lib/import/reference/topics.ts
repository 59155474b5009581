import type { Site } from '../../access/site-fields.ts';
import { readSite } from '../../access/sites.ts';
import type { Refusals } from '../../resource/records.ts';
import type { SiteTable } from '../../store/site-table.ts';
import { takeArticleTranslationRecords } from '../../topics/articles/records.ts';
import { takeTopicRecords, takeTranslationRecords } from '../../topics/records.ts';
import type { RecordOf } from '../records/reference-record.ts';
import { inMillis } from './record-line.ts';

/** Imports topics together. */
export async function takeTopics(target: SiteTable, records: readonly RecordOf<'topic'>[]): Promise<Refusals> {
  const site = await readSite(target.table, target.site);
  if (site === undefined) return records.map(() => `there is no site ${target.site}`);
  return takeTopicRecords({ ...target, defaultLocale: site.defaultLocale }, records.map(inMillis));
}

/** Imports translations of topics together; refuses those of unknown topics, and in locales that are not enabled. */
export const takeTranslations = (
  target: SiteTable,
  records: readonly RecordOf<'topic_translation'>[],
): Promise<Refusals> =>
  takeEnabled(target, records, (enabled, { defaultLocale }) =>
    takeTranslationRecords({ ...target, defaultLocale }, enabled.map(inMillis)),
  );

/** Imports translations of articles together; refuses those of unknown articles, and in locales that are not enabled. */
export function takeArticleTranslations(
  target: SiteTable,
  records: readonly RecordOf<'article_translation'>[],
): Promise<Refusals> {
  return takeEnabled(target, records, (enabled, { defaultLocale }) =>
    takeArticleTranslationRecords({ ...target, defaultLocale }, enabled.map(articleOf)),
  );
}

/** Takes the translations in locales that the site has, and refuses the others; a deletion is taken in any locale. */
async function takeEnabled<R extends { readonly deleted?: boolean; readonly locale: string }>(
  { table, site: name }: SiteTable,
  records: readonly R[],
  take: (enabled: readonly R[], site: Site) => Promise<Refusals>,
): Promise<Refusals> {
  const site = await readSite(table, name);
  if (site === undefined) return records.map(() => `there is no site ${name}`);
  const isEnabled = ({ deleted, locale }: R) => deleted || site.locales.includes(locale);
  const reasons = [...(await take(records.filter(isEnabled), site))];
  return records.map((record) =>
    isEnabled(record) ? reasons.shift() : `locale: ${record.locale} is not enabled for this site`,
  );
}

/** An article or a translation of one, with its times as they are stored. */
export const articleOf = <R extends RecordOf<'article' | 'article_translation'>>({ publish_at, ...rest }: R) => ({
  ...inMillis(rest),
  ...(publish_at !== undefined && { publish_at: publish_at && Math.floor(publish_at / 1_000_000) * 1000 }),
});
