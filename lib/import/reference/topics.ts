import { readSite } from '../../access/sites.ts';
import type { ImportTarget } from '../../store/import-target.ts';
import { importTopic, importTranslation } from '../../topics/import.ts';
import type { TopicRecord, TopicTranslationRecord } from '../records/reference-record.ts';
import { timesToMillis } from './record-line.ts';

/** Imports a topic. Returns the reason if it is refused. */
export async function takeTopic(target: ImportTarget, record: TopicRecord): Promise<string | undefined> {
  const site = await readSite(target.table, target.site);
  if (site === undefined) return `there is no site ${target.site}`;
  const { type: _type, created_at, updated_at, ...rest } = record;
  return importTopic(
    { ...target, defaultLocale: site.defaultLocale },
    { ...rest, ...timesToMillis({ created_at, updated_at }) },
  );
}

/** Imports the translation of a topic. Returns the reason if the topic does not exist or the locale is not enabled. */
export async function takeTranslation(
  target: ImportTarget,
  record: TopicTranslationRecord,
): Promise<string | undefined> {
  const site = await readSite(target.table, target.site);
  if (site === undefined) return `there is no site ${target.site}`;
  const { type: _type, created_at, updated_at, ...rest } = record;
  const isEnabled = record.deleted || site.locales.includes(record.locale);
  if (!isEnabled) return `locale: ${record.locale} is not enabled for this site`;
  return importTranslation(
    { ...target, defaultLocale: site.defaultLocale },
    { ...rest, ...timesToMillis({ created_at, updated_at }) },
  );
}
