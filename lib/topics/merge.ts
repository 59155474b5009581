import type { StoredTopic, Topic, Translation } from './stored.ts';

/** The fields of every record. An absent key changes nothing, null clears, the newest record wins (docs/import.md). */
interface Imported {
  readonly deleted?: boolean;
  readonly created_at?: number; // epoch ms
  readonly updated_at?: number; // epoch ms
}

export interface ImportedTopic extends Imported {
  readonly id: number;
  readonly name?: string; // absent only with `deleted`
  readonly description?: string | null;
  readonly position?: number | null; // from 1
  readonly allow_questions?: boolean | null;
  readonly in_support_center?: boolean | null;
  readonly brands?: readonly number[] | null;
}

export interface ImportedTranslation extends Imported {
  readonly topic: number;
  readonly locale: string; // normalised
  readonly name?: string; // absent only with `deleted`
  readonly description?: string | null;
}

/** The topic after a record. Null sets a field to the default of a new topic. */
export function mergeTopic(before: StoredTopic | undefined, record: ImportedTopic, at: number): StoredTopic {
  const { id, allow_questions, in_support_center, brands, position } = record;
  const rank = position ?? before?.rank;
  return {
    id,
    allow_questions: merged(before?.allow_questions, allow_questions, true),
    in_support_center: merged(before?.in_support_center, in_support_center, false),
    brands: [...new Set(merged(before?.brands, brands, []))].sort((a, b) => a - b),
    ...(rank === undefined ? {} : { rank }),
    created_at: record.created_at ?? before?.created_at ?? at,
    updated_at: at,
  };
}

/** A field after a record: null resets it to `usual`, an absent key changes nothing. */
const merged = <T>(before: T | undefined, sent: T | null | undefined, usual: T): T =>
  sent === undefined ? (before ?? usual) : (sent ?? usual);

/** The translation after a record; if no name is known, its topic's id is the name. */
export function mergeTranslation(
  before: Translation | undefined,
  record: ImportedTranslation,
  at: number,
): Translation {
  const { topic, locale, name, description } = record;
  return {
    topic,
    locale,
    name: name ?? before?.name ?? String(topic),
    description: merged(before?.description, description, null),
    created_at: record.created_at ?? before?.created_at ?? at,
    updated_at: at,
  };
}

/**
 * The order of topics with one inserted by its rank: before the first imported topic of a higher rank, and before a
 * topic created on the site that has that position; else last.
 */
export function placeByRank(topics: Iterable<Topic>, id: number, rank: number | undefined): number[] {
  const others = [...topics].filter((topic) => topic.id !== id);
  const after = others.findIndex((topic, index) =>
    rank === undefined ? false : topic.rank === undefined ? index + 1 >= rank : topic.rank > rank,
  );
  const order = others.map((topic) => topic.id);
  order.splice(after < 0 ? order.length : after, 0, id);
  return order;
}
