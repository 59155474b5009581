import type { Role } from '../../../lib/access/roles.ts';
import type { Received } from '../service/service.ts';

/** The expected topics and macros of a site, as plain lists. */
export interface SiteModel {
  lastId: number;
  topics: TopicModel[];
  macros: MacroModel[];
}

interface Wording {
  name: string;
  description: string | null;
  created_at: number; // epoch ms, like all times here
  updated_at: number;
}

export interface TopicModel {
  readonly id: number;
  allow_questions: boolean;
  in_support_center: boolean;
  brands: number[];
  readonly created_at: number;
  updated_at: number;
  translations: Record<string, Wording>; // by locale
}

export interface ActionModel {
  readonly id: number;
  value: string;
  enabled: boolean;
  readonly created_at: number;
  updated_at: number;
}

export interface MacroModel {
  readonly id: number;
  readonly position: number;
  name: string;
  enabled: boolean;
  folders: readonly string[];
  actions: ActionModel[]; // all of type `set-case-status`
}

/** A request of a client, and the reply to expect. */
export interface Exchange {
  readonly method: string;
  readonly target: string;
  readonly body?: unknown;
  readonly as: Role;
  readonly language?: string; // Accept-Language
  readonly expected: Pick<Received, 'status' | 'body'>;
}

export const DEFAULT_LOCALE = 'en_us';
export const TOPICS = '/api/v2/topics';
export const MACROS = '/api/v2/macros';

export const newSiteModel = (): SiteModel => ({ lastId: 0, topics: [], macros: [] });

const time = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;
const link = (href: string, name: string, more: object = {}) => ({ href, class: name, ...more });

/** A topic as the API must show it, in one of its locales. */
export function showTopic({ topics }: SiteModel, topic: TopicModel, locale = DEFAULT_LOCALE): Record<string, unknown> {
  const { id, allow_questions, in_support_center, created_at, updated_at, translations } = topic;
  const path = `${TOPICS}/${id}`;
  return {
    id,
    name: translations[locale]?.name,
    description: translations[locale]?.description ?? translations[DEFAULT_LOCALE]?.description ?? null,
    position: topics.indexOf(topic) + 1,
    allow_questions,
    in_support_center,
    created_at: time(created_at),
    updated_at: time(updated_at),
    _links: {
      self: link(path, 'topic'),
      articles: link(`${path}/articles`, 'article', { count: 0 }),
      translations: link(`${path}/translations`, 'topic_translation'),
    },
  };
}

export function showTranslation({ id, translations }: TopicModel, locale: string): Record<string, unknown> {
  const { name, description = null, created_at = 0, updated_at = 0 } = translations[locale] ?? {};
  const self = link(`${TOPICS}/${id}/translations/${locale}`, 'topic_translation');
  return { name, description, locale, created_at: time(created_at), updated_at: time(updated_at), _links: { self } };
}

export function showMacro({ actions: _, ...macro }: MacroModel): Record<string, unknown> {
  const path = `${MACROS}/${macro.id}`;
  const _links = { self: link(path, 'macro'), actions: link(`${path}/actions`, 'macro_action') };
  return { ...macro, description: null, _links };
}

export function showAction(macro: MacroModel, action: ActionModel): Record<string, unknown> {
  const { id, value, enabled, created_at, updated_at } = action;
  const path = `${MACROS}/${macro.id}`;
  return {
    id,
    type: 'set-case-status',
    value,
    enabled,
    created_at: time(created_at),
    updated_at: time(updated_at),
    _links: { self: link(`${path}/actions/${id}`, 'macro_action'), macro: link(path, 'macro') },
  };
}

/** The first page of a list as the API must show it; `entries` are in the form of the API. */
export function showPage(path: string, entries: readonly unknown[], perPage: number): Record<string, unknown> {
  const pageLink = (page: number) => link(`${path}?page=${page}&per_page=${perPage}`, 'page');
  const last = Math.max(1, Math.ceil(entries.length / perPage));
  return {
    total_entries: entries.length,
    page: 1,
    _links: {
      self: pageLink(1),
      first: pageLink(1),
      last: pageLink(last),
      previous: null,
      next: last > 1 ? pageLink(2) : null,
    },
    _embedded: { entries: entries.slice(0, perPage) },
  };
}
