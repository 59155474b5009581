import { merged } from '../store/import-target.ts';
import type { StoredTopic, Translation } from './stored.ts';

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
 * Places a topic in the order of topics by its rank: before the first imported topic of a higher rank, and before a
 * topic created on the site that has that position; else last. Changes `order`.
 */
export function placeByRank(
  order: number[],
  rankOf: (id: number) => number | undefined,
  id: number,
  rank: number | undefined,
): void {
  const own = order.indexOf(id);
  if (own >= 0) order.splice(own, 1);
  const after = order.findIndex((other, index) => {
    if (rank === undefined) return false;
    const theirs = rankOf(other);
    return theirs === undefined ? index + 1 >= rank : theirs > rank;
  });
  order.splice(after < 0 ? order.length : after, 0, id);
}
