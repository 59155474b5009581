import type { Calendar, Holiday } from '../../access/calendars.ts';
import type { Instant } from '../../history/cases/event.ts';
import type { SlaTarget } from '../../insights/sla-policies.ts';
import type { ImportedTexts } from '../../topics/articles/import.ts';
import type { WeekDay } from '../../vocabulary.ts';

/** The fields of every reference record. An absent optional key changes nothing, null clears (docs/import.md). */
interface Kept {
  readonly deleted?: boolean; // true: deleted, but old reports still show its name
  readonly created_at?: Instant;
  readonly updated_at?: Instant; // the newest record wins; absent: the time of the import
}

interface Member extends Kept {
  readonly id: number;
  readonly name?: string; // absent only with `deleted`
}

export interface SiteRecord extends Kept {
  readonly type: 'site';
  readonly name?: string | null;
  readonly locales?: readonly string[] | null;
  readonly default_locale?: string | null;
  readonly time_zone?: string | null; // IANA
  readonly week_start?: WeekDay | null;
  readonly rating?: 'yes_no' | 'four_star' | null;
}

export interface AgentRecord extends Member {
  readonly type: 'agent';
  readonly public_name?: string | null;
  readonly login?: string | null; // makes the agent a user; only the command line sets passwords
  readonly role?: string | null;
  readonly groups?: readonly number[] | null;
}

interface NamedRecord extends Member {
  readonly type: 'group' | 'channel' | 'brand'; // a channel's id may be 0
}

interface LabelRecord extends Member {
  readonly type: 'label';
  readonly description?: string | null;
  readonly enabled?: boolean | null;
  readonly types?: readonly string[] | null;
  readonly color?: string | null;
}

interface CompanyRecord extends Member {
  readonly type: 'company';
  readonly domains?: readonly string[] | null;
  readonly custom_fields?: Readonly<Record<string, string>> | null; // by the name of the field
}

interface ArticleRecord extends Kept, ImportedTexts {
  readonly type: 'article';
  readonly id: number;
  readonly subject?: string; // absent only with `deleted`
  readonly topics?: readonly number[] | null;
  readonly brands?: readonly number[] | null;
  readonly keywords?: string | null;
  readonly quickcode?: string | null;
  readonly position?: number | null; // from 1
  readonly publish_at?: Instant | null; // null: a draft
  readonly in_support_center?: boolean | null;
  readonly rating_count?: number | null;
  readonly rating_score?: number | null;
  readonly created_by?: number | null; // an agent
  readonly updated_by?: number | null;
}

export interface ArticleTranslationRecord extends Kept, ImportedTexts {
  readonly type: 'article_translation';
  readonly article: number;
  readonly locale: string; // as stored: `en_us`
  readonly subject?: string; // absent only with `deleted`
  readonly outdated?: boolean | null;
  readonly publish_at?: Instant | null;
}

interface CustomFieldRecord extends Member {
  readonly type: 'custom_field';
  readonly label?: string | null;
  readonly active?: boolean | null;
  readonly data_type?: string | null;
  readonly object?: 'case' | 'customer' | 'company'; // absent only with `deleted`
  readonly values?: readonly string[] | null; // absent or null: free text
}

export interface CalendarRecord extends Member {
  readonly type: 'calendar';
  readonly time_zone?: string; // IANA; absent only with `deleted`
  readonly hours?: Calendar['hours']; // absent only with `deleted`
  readonly holidays?: readonly Holiday[] | null;
  readonly default?: boolean | null;
  readonly groups?: readonly number[] | null;
}

export interface SlaPolicyRecord extends Member {
  readonly type: 'sla_policy';
  readonly position?: number | null; // from 0; null: after all policies with a position
  readonly filters?: readonly unknown[] | null; // like filters of reports, each condition in the long form
  readonly targets?: readonly SlaTarget[]; // absent only with `deleted`
}

export interface TopicRecord extends Member {
  readonly type: 'topic';
  readonly description?: string | null;
  readonly position?: number | null; // from 1
  readonly allow_questions?: boolean | null;
  readonly in_support_center?: boolean | null;
  readonly brands?: readonly number[] | null;
}

export interface TopicTranslationRecord extends Kept {
  readonly type: 'topic_translation';
  readonly topic: number;
  readonly locale: string; // as stored: `en_us`
  readonly name?: string; // absent only with `deleted`
  readonly description?: string | null;
}

export interface MacroRecord extends Member {
  readonly type: 'macro';
  readonly description?: string | null;
  readonly enabled?: boolean | null;
  readonly position?: number | null; // from 1
  readonly folders?: readonly string[] | null;
}

export interface MacroActionRecord extends Kept {
  readonly type: 'macro_action';
  readonly id: number;
  readonly macro?: number; // absent only with `deleted`
  readonly action?: string; // docs/interface.md; absent only with `deleted`
  readonly value?: string | readonly string[] | null;
  readonly enabled?: boolean | null;
}

/** The reference records of docs/import.md, after their schema. */
export type ReferenceRecord =
  | SiteRecord
  | AgentRecord
  | NamedRecord
  | LabelRecord
  | CompanyRecord
  | ArticleRecord
  | ArticleTranslationRecord
  | CustomFieldRecord
  | CalendarRecord
  | SlaPolicyRecord
  | TopicRecord
  | TopicTranslationRecord
  | MacroRecord
  | MacroActionRecord;
