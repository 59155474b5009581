import { readSite } from '../../access/sites.ts';
import type { ImportTarget } from '../../store/import-target.ts';
import { importArticleTranslation } from '../../topics/articles/import.ts';
import { importTopics, importTranslations } from '../../topics/import.ts';
import type { ArticleTranslationRecord, TopicRecord, TopicTranslationRecord } from '../records/reference-record.ts';
import { timesToMillis } from './record-line.ts';

/** Why each record is refused, in the order of the records; undefined for one that is taken. */
type Refusals = readonly (string | undefined)[];

/** Imports topics together. */
export async function takeTopics(target: ImportTarget, records: readonly TopicRecord[]): Promise<Refusals> {
  const site = await readSite(target.table, target.site);
  if (site === undefined) return records.map(() => `there is no site ${target.site}`);
  const read = ({ type: _type, created_at, updated_at, ...rest }: TopicRecord) => ({
    ...rest,
    ...timesToMillis({ created_at, updated_at }),
  });
  return importTopics({ ...target, defaultLocale: site.defaultLocale }, records.map(read));
}

/** Imports translations of topics together; refuses those of unknown topics, and in locales that are not enabled. */
export async function takeTranslations(
  target: ImportTarget,
  records: readonly TopicTranslationRecord[],
): Promise<Refusals> {
  const site = await readSite(target.table, target.site);
  if (site === undefined) return records.map(() => `there is no site ${target.site}`);
  const isEnabled = ({ deleted, locale }: TopicTranslationRecord) => deleted || site.locales.includes(locale);
  const read = ({ type: _type, created_at, updated_at, ...rest }: TopicTranslationRecord) => ({
    ...rest,
    ...timesToMillis({ created_at, updated_at }),
  });
  const known = { ...target, defaultLocale: site.defaultLocale };
  const reasons = [...(await importTranslations(known, records.filter(isEnabled).map(read)))];
  return records.map((record) =>
    isEnabled(record) ? reasons.shift() : `locale: ${record.locale} is not enabled for this site`,
  );
}

/** Imports the translation of an article. Returns the reason if the article or the locale does not exist. */
export async function takeArticleTranslation(
  target: ImportTarget,
  record: ArticleTranslationRecord,
): Promise<string | undefined> {
  const site = await readSite(target.table, target.site);
  if (site === undefined) return `there is no site ${target.site}`;
  const { type: _type, created_at, updated_at, publish_at, ...rest } = record;
  const isEnabled = record.deleted || site.locales.includes(record.locale);
  if (!isEnabled) return `locale: ${record.locale} is not enabled for this site`;
  return importArticleTranslation(
    { ...target, defaultLocale: site.defaultLocale },
    {
      ...rest,
      ...timesToMillis({ created_at, updated_at, publish_at: publish_at ?? undefined }),
      ...(publish_at === null && { publish_at }),
    },
  );
}
