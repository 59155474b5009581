import { readSite, type Site } from '../../access/sites.ts';
import type { ImportTarget } from '../../store/import-target.ts';
import type { Refusals } from '../../store/together.ts';
import { importArticleTranslations } from '../../topics/articles/import.ts';
import { importTopics, importTranslations } from '../../topics/import.ts';
import type { RecordOf } from '../records/reference-record.ts';
import { inMillis, toMillis } from './record-line.ts';

/** Imports topics together. */
export async function takeTopics(target: ImportTarget, records: readonly RecordOf<'topic'>[]): Promise<Refusals> {
  const site = await readSite(target.table, target.site);
  if (site === undefined) return records.map(() => `there is no site ${target.site}`);
  return importTopics({ ...target, defaultLocale: site.defaultLocale }, records.map(inMillis));
}

/** Imports translations of topics together; refuses those of unknown topics, and in locales that are not enabled. */
export const takeTranslations = (
  target: ImportTarget,
  records: readonly RecordOf<'topic_translation'>[],
): Promise<Refusals> =>
  takeEnabled(target, records, (enabled, { defaultLocale }) =>
    importTranslations({ ...target, defaultLocale }, enabled.map(inMillis)),
  );

/** Imports translations of articles together; refuses those of unknown articles, and in locales that are not enabled. */
export function takeArticleTranslations(
  target: ImportTarget,
  records: readonly RecordOf<'article_translation'>[],
): Promise<Refusals> {
  const read = ({ publish_at, ...rest }: RecordOf<'article_translation'>) => ({
    ...inMillis(rest),
    ...(publish_at === undefined ? {} : { publish_at: publish_at && toMillis(publish_at) }),
  });
  return takeEnabled(target, records, (enabled, { defaultLocale }) =>
    importArticleTranslations({ ...target, defaultLocale }, enabled.map(read)),
  );
}

/** Takes the translations in locales that the site has, and refuses the others; a deletion is taken in any locale. */
async function takeEnabled<R extends { readonly deleted?: boolean; readonly locale: string }>(
  { table, site: name }: ImportTarget,
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
