import { unmarked } from '../../access/records.ts';
import { RECORDED_NAMES, settingOf } from '../../access/site-fields.ts';
import { formatInstant } from '../../history/cases/instant.ts';
import { listActions } from '../../macros/action.ts';
import { type StoredMacro, storedMacros } from '../../macros/macro.ts';
import { keys, REFERENCE_KINDS, type ReferenceKind } from '../../store/keys.ts';
import { openCollection, type SiteTable } from '../../store/site-table.ts';
import type { Item } from '../../store/table.ts';
import { ARTICLE } from '../../topics/articles/fields.ts';
import { type ArticleTexts, NO_ARTICLE_TEXTS, readTexts } from '../../topics/articles/texts.ts';
import { byLocale, topicsOf } from '../../topics/stored.ts';
import { type Topic, wordingOf } from '../../topics/topic.ts';
import { type ImportContext, targetOf } from '../import-rows.ts';

/** A record as JSON. */
export type RecordJson = Readonly<Record<string, unknown>>;

/** Yields the reference records of a site: settings, members, topics with translations, macros with actions. */
export async function* referenceRecords(context: ImportContext): AsyncGenerator<RecordJson> {
  const { site } = context;
  const target = targetOf(context);
  yield {
    type: 'site',
    ...Object.fromEntries(RECORDED_NAMES.map((name) => [settingOf(name).api, site[name]])),
  };
  for (const kind of REFERENCE_KINDS) yield* memberRecords(target, kind);
  yield* topicRecords(target, site.defaultLocale);
  yield* macroRecords(target);
}

/**
 * Yields the members of a kind. Members that only events name are left out: an import of the events adds them again.
 */
async function* memberRecords(target: SiteTable, kind: ReferenceKind): AsyncGenerator<RecordJson> {
  const { items } = await openCollection(target, keys.reference(target.site, kind));
  for (const item of items.values()) {
    if (item.name === undefined && item.subject === undefined) continue;
    if (kind === 'article') {
      yield* articleRecords(target, item);
      continue;
    }
    const { pk: _, sk: __, ...fields } = unmarked(item);
    yield { type: kind, ...timed(fields) };
  }
}

/** Yields an article with its texts, and its translations. */
async function* articleRecords(target: SiteTable, item: Item): AsyncGenerator<RecordJson> {
  const { table, site } = target;
  const { pk: _, sk: __, body_hash, own: ___, has_notes, texts_hash, translations: ____, ...fields } = item;
  const article = ARTICLE.parse(item);
  const { id } = article;
  const [texts = NO_ARTICLE_TEXTS] = await readTexts(table, site, [{ id, of: article }]);
  yield { type: 'article', ...timed(fields), ...(item.deleted === true ? {} : textFields(texts)) };
  for (const [locale, one] of Object.entries(article.translations)) {
    const record = { type: 'article_translation', article: id, locale };
    if ('deleted' in one) {
      yield { ...record, ...timed(one) };
      continue;
    }
    const { body_hash: _hash, own: _own, ...rest } = one;
    const [texts = NO_ARTICLE_TEXTS] = await readTexts(table, site, [{ id, locale, of: one }]);
    yield { ...record, ...timed(rest), ...textFields(texts) };
  }
}

/** The texts as fields of a record; channels without a text of their own are left out. */
const textFields = ({ body, channels, notes }: ArticleTexts): RecordJson => ({
  ...(body !== null && { body }),
  ...Object.fromEntries(Object.entries(channels).map(([channel, text]) => [`body_${channel}`, text])),
  ...(notes !== null && { internal_notes: notes }),
});

async function* topicRecords(target: SiteTable, defaultLocale: string): AsyncGenerator<RecordJson> {
  const topics = topicsOf(await openCollection(target, keys.topics(target.site)));
  for (const topic of topics.values()) yield* recordsOfTopic(topic, defaultLocale);
}

function* recordsOfTopic(topic: Topic, defaultLocale: string): Generator<RecordJson> {
  const { rank: _, translations, ...fields } = topic;
  const { name, description } = wordingOf(topic, defaultLocale);
  yield { type: 'topic', ...timed(fields), name, description };
  for (const translation of byLocale(translations.values()).values())
    yield { type: 'topic_translation', ...timed({ ...translation }) };
}

async function* macroRecords(target: SiteTable): AsyncGenerator<RecordJson> {
  for (const macro of storedMacros(await openCollection(target, keys.macros(target.site)))) {
    const record = recordOfMacro(macro);
    if (record === undefined) continue;
    yield record;
    const own = keys.actions(target.site, macro.id);
    const actions = macro.state === 'live' ? listActions(await openCollection(target, own)) : [];
    for (const { state: _, type: action, ...rest } of actions)
      yield { type: 'macro_action', ...timed(rest), macro: macro.id, action };
  }
}

/** A macro that only events name is left out. */
function recordOfMacro(macro: StoredMacro): RecordJson | undefined {
  if (macro.state === 'mentioned') return undefined;
  if (macro.state === 'live') {
    const { state: _, ...fields } = macro;
    return { type: 'macro', ...timed(fields) };
  }
  const { state: _, actions: __, ...fields } = macro;
  return { type: 'macro', ...timed(fields), deleted: true };
}

const MICROS = 1000; // in a ms

/** Returns an item's fields with its times in the form that records have. */
function timed(fields: Readonly<Record<string, unknown>>): RecordJson {
  const { created_at, updated_at, publish_at, ...rest } = fields;
  return {
    ...rest,
    ...(typeof created_at === 'number' && { created_at: formatInstant(Math.round(created_at * MICROS)) }),
    ...(publish_at === null && { publish_at }),
    ...(typeof publish_at === 'number' && { publish_at: formatInstant(Math.round(publish_at * MICROS)) }),
    ...(typeof updated_at === 'number' && { updated_at: formatInstant(Math.round(updated_at * MICROS)) }),
  };
}
