import * as z from 'zod';
import { envelope } from '../../lib/http/page.ts';
import type { Route } from '../../lib/http/route.ts';
import { definitions } from '../../lib/insights/definitions/definitions.ts';
import { TEXT_CHANNELS } from '../../lib/topics/articles/article.ts';
import { type NamedSchemas, toSchema } from './schemas.ts';

const created_at = '2026-03-01T12:00:00Z';
const updated_at = '2026-03-04T08:30:00Z';
const link = (href: string, name: string) => ({ href, class: name });

const topic = {
  id: 1,
  name: 'Billing',
  description: 'Invoices and payments',
  position: 1,
  allow_questions: true,
  in_support_center: true,
  created_at,
  updated_at,
  _links: {
    self: link('/api/v2/topics/1', 'topic'),
    articles: { ...link('/api/v2/topics/1/articles', 'article'), count: 12 },
    translations: link('/api/v2/topics/1/translations', 'topic_translation'),
  },
};
const brand = {
  id: 3,
  name: 'Acme Outdoor',
  created_at,
  updated_at,
  _links: {
    self: link('/api/v2/topics/1/brands/3', 'brand'),
    articles: { ...link('/api/v2/brands/3/articles', 'article'), count: 7 },
  },
};
const translation = {
  name: 'Abrechnung',
  description: null,
  locale: 'de',
  created_at,
  updated_at,
  _links: { self: link('/api/v2/topics/1/translations/de', 'topic_translation') },
};
const macro = {
  id: 5,
  name: 'Escalate',
  description: 'To the second line',
  enabled: true,
  position: 1,
  folders: ['Support'],
  _links: { self: link('/api/v2/macros/5', 'macro'), actions: link('/api/v2/macros/5/actions', 'macro_action') },
};
const action = {
  id: 6,
  type: 'set-case-priority',
  value: '8',
  enabled: true,
  created_at,
  updated_at,
  _links: { self: link('/api/v2/macros/5/actions/6', 'macro_action'), macro: link('/api/v2/macros/5', 'macro') },
};
const meta = {
  channels: { 1: { name: 'email' }, 2: { name: 'chat' } },
  macros: { 5: { name: 'Escalate', deleted: false } },
  labels: { 3: { name: 'refund', deleted: false } },
  agents: { 42: { name: 'Ann', deleted: false }, 43: { name: 'Bob', deleted: true } },
  groups: { 7: { name: 'First line', deleted: false } },
  articles: { 9: { name: 'How to read an invoice', deleted: false } },
  custom_fields: { 12: { id: 12, name: 'plan' }, '12:6d02ff7b9ac65b53': { name: 'gold' } },
  customer_custom_fields: {},
  case_rating_type: { name: 'four_star' },
  companies: { 9: { name: 'Acme', deleted: false } },
};
const report = {
  request: {
    fields: ['case_creates', 'resolved_cases'],
    time: {
      min: '2026-01-01T00:00:00-05:00',
      max: '2026-02-01T00:00:00-05:00',
      window_size: 'day',
    },
    dimension1: 'channel',
    dimension1_values: null,
    dimension2: null,
    dimension2_values: null,
    filters: [[['Include', 'Priorities', 'Is', '', false, [{ id: '5' }]]]],
  },
  header: ['window_time', 'dimension1_value', 'dimension2_value', 'case_creates', 'resolved_cases'],
  data: [
    ['2026-01-01 00:00:00', 1, null, 14, 9],
    ['2026-01-01 00:00:00', 2, null, 5, 5],
  ],
  _links: { self: { href: null, class: 'report' } },
};

const savedReport = {
  id: 8,
  name: 'Resolved by agent, last four weeks',
  description: null,
  request: {
    fields: ['resolved_cases', 'time_to_resolution:p50'],
    time: { last: 4, unit: 'week', window_size: 'week' },
    dimension1: 'action_agent',
  },
  created_at,
  updated_at,
  _links: {
    self: link('/api/v2/saved_reports/8', 'saved_report'),
    run: link('/api/v2/saved_reports/8/run', 'report'),
  },
};

const board = {
  id: 9,
  name: 'Monday',
  tiles: [
    {
      ...{ saved_report: 8, shown_as: 'bars', width: 2, pinned: false },
      _links: { saved_report: link('/api/v2/saved_reports/8', 'saved_report') },
    },
  ],
  time: { last: 4, unit: 'week' },
  filters: null,
  created_at,
  updated_at,
  _links: { self: link('/api/v2/boards/9', 'board') },
};

const sent = { owner: 'ann@acme.example', recipients: ['ann@acme.example', 'bob@acme.example'], enabled: true };

const subscription = {
  ...{ id: 10, board: 9, saved_report: null, every: 'week', weekday: 'monday', day: 1, ...sent, at: '07:30' },
  created_at,
  updated_at,
  _links: {
    self: link('/api/v2/subscriptions/10', 'subscription'),
    mail: link('/api/v2/subscriptions/10/mail', 'mail'),
    board: link('/api/v2/boards/9', 'board'),
    saved_report: null,
  },
};

const alert = {
  ...{ id: 11, name: 'Backlog', saved_report: 8, comparison: 'above', bound: 100, check: 'hour', ...sent, at: '07:00' },
  created_at,
  updated_at,
  _links: {
    self: link('/api/v2/alerts/11', 'alert'),
    check: link('/api/v2/alerts/11/check', 'check'),
    saved_report: link('/api/v2/saved_reports/8', 'saved_report'),
  },
};

const mail = {
  subject: 'Monday: Nov 16, 2026 – Nov 22, 2026',
  html: '<!doctype html>…',
  text: 'Monday\nNov 16, 2026 – Nov 22, 2026\n…',
  attachments: [{ name: '1-resolved-by-agent.csv', content: 'window_time,…' }],
};

const cases = {
  request: {
    ...report.request,
    ...{ fields: ['time_to_first_response'], dimension1: 'action_agent', dimension1_values: [42], filters: null },
    ...{ sort: 'value', direction: 'desc', per_page: 50 },
  },
  total_entries: 1,
  cases: [
    {
      case: 1001,
      at: '2026-01-05T10:12:31-05:00',
      value: 3122,
      counted: true,
      status: 'open',
      deleted: false,
      channel: 1,
      priority: 5,
      assignee: 42,
      group: 7,
      labels: [3],
      company: null,
      custom_fields: { 12: 'gold' },
    },
  ],
  cursor: null,
};

const story = {
  case: 1001,
  events: [
    { type: 'case.created', id: 'a', channel: 1, at: '2026-01-05T09:20:29-05:00', names: { channel: 'email' } },
    {
      ...{ type: 'interaction', id: 'b', direction: 'outbound', agent: 42, at: '2026-01-05T10:12:31-05:00' },
      names: { agent: 'Ann' },
    },
  ],
  facts: [
    { field: 'case_creates', at: '2026-01-05T09:20:29-05:00', agent: null, group: null, value: 1, counted: true },
    {
      field: 'outbound_interactions',
      at: '2026-01-05T10:12:31-05:00',
      agent: 42,
      group: null,
      value: 1,
      counted: true,
    },
  ],
};

const channelTexts = Object.fromEntries(
  TEXT_CHANNELS.flatMap((channel) => [
    [`body_${channel}`, channel === 'web_callback' ? '<p>It has three parts.</p>' : 'It has three parts.'],
    [`body_${channel}_auto`, true],
  ]),
);
const article = {
  ...{ id: 9, locale: 'en_us', subject: 'How to read an invoice', body: '<p>It has three parts.</p>' },
  ...channelTexts,
  ...{ rating: 89, rating_count: 9, rating_score: 8, keywords: 'bill', position: 1, quickcode: null },
  ...{ publish_at: created_at, updated_at, created_at, in_support_center: false, internal_notes: null },
  public_url: 'http://localhost:3000/customer/portal/articles/9-how-to-read-an-invoice',
  body_text: 'It has three parts.',
  _links: {
    self: link('/api/v2/articles/9', 'article'),
    topic: link('/api/v2/topics/1', 'topic'),
    translations: link('/api/v2/articles/9/translations', 'article_translation'),
    attachments: { ...link('/api/v2/articles/9/attachments', 'attachment'), count: 0 },
    created_by: link('/api/v2/users/7', 'user'),
    updated_by: null,
    topics: [link('/api/v2/topics/1', 'topic')],
    brands: [link('/api/v2/brands/3', 'brand')],
  },
};
const articleTranslation = {
  ...{ locale: 'de', subject: 'Eine Rechnung lesen', body: '<p>It has three parts.</p>', ...channelTexts },
  ...{ outdated: false, publish_at: created_at, created_at, updated_at },
  _links: { self: link('/api/v2/articles/9/translations/de', 'article_translation') },
};
const siteBrand = {
  ...brand,
  _links: {
    ...brand._links,
    self: link('/api/v2/brands/3', 'brand'),
    topics: link('/api/v2/brands/3/topics', 'topic'),
  },
};
const record = (path: string, name: string, fields: object) => ({
  id: 7,
  ...fields,
  _links: { self: link(path, name) },
});
const user = {
  ...{ id: 7, name: 'Ann', public_name: 'Ann', email: 'ann@acme.example', level: 'agent', avatar: null },
  ...{ created_at, updated_at, current_login_at: null, last_login_at: null },
  ...{ login: 'ann@acme.example', role: 'Agent', groups: [7] },
  _links: {
    self: link('/api/v2/users/7', 'user'),
    groups: link('/api/v2/users/7/groups', 'group'),
    macros: link('/api/v2/users/7/macros', 'macro'),
  },
};
const site = {
  ...{ name: 'Acme', time_zone: 'Europe/Berlin', week_start: 'monday', rating: 'four_star' },
  ...{ locales: ['en_us', 'de'], default_locale: 'en_us', case_url: 'https://help.example/tickets/{case}' },
  _links: { self: link('/api/v2/site', 'site') },
};
const login = {
  ...{ login: 'ann@acme.example', role: 'Administrator', name: 'Ann', user: 7, has_password: true },
  ...{ tokens: 2, last_used: '2026-03-04', _links: { user: link('/api/v2/users/7', 'user') } },
};
const calendar = record('/api/v2/calendars/7', 'calendar', {
  ...{ name: 'Berlin', time_zone: 'Europe/Berlin', hours: { mon: [['09:00', '17:00']] } },
  ...{ holidays: [{ date: '2026-12-25', name: 'Christmas' }], default: true, groups: [7] },
});
const policy = record('/api/v2/sla_policies/7', 'sla_policy', {
  ...{ name: 'Gold', position: 0, filters: [[['Include', 'Companies', [{ id: '9' }]]]] },
  targets: [{ metric: 'first_response', priorities: null, seconds: 3_600, hours: 'business' }],
});
const source = {
  ...{ name: 'zendesk', kind: 'versioned', removing: false, cases: 1_204, events: 9_310 },
  ...{ first_event: '2026-01-05T09:12:44Z', last_event: '2026-03-04T16:02:10Z', last_import: '2026-03-05T06:00:01Z' },
};
const group = {
  ...{ id: 7, name: 'First line', position: 1 },
  _links: { self: link('/api/v2/groups/7', 'group'), users: link('/api/v2/groups/7/users', 'user') },
};
const label = record('/api/v2/labels/7', 'label', {
  ...{ name: 'refund', description: null, enabled: true, types: ['case'], color: 'blue', active: true, position: 1 },
});
const company = record('/api/v2/companies/7', 'company', {
  ...{ name: 'Acme', domains: ['acme.example'], created_at, updated_at, custom_fields: { plan: 'gold' } },
});
const channel = record('/api/v2/channels/7', 'channel', { name: 'email' });
const customField = record('/api/v2/custom_fields/7', 'custom_field', {
  ...{ name: 'plan', label: 'Plan', type: 'ticket', active: true },
  ...{ data: { type: 'list', choices: ['gold'] }, object: 'case', values: ['gold'] },
});

const token = {
  ...{ id: 120_394_857, name: 'nightly', kind: 'bearer', role: 'Reporting Agent', created_at },
  ...{ expires_at: '2026-05-30T12:00:00Z', last_used: '2026-03-04' },
  _links: { self: link('/api/v2/tokens/120394857', 'token') },
};
/** Not of the form of a token, which scanners for leaked secrets would report. */
const SHOWN_ONCE = 'shown-only-now';

const outcome = {
  records: { 'case.created': 3, interaction: 2 },
  ...{ events: 5, added: 5, replaced: 0, unchanged: 0, superseded: 0, removed: 0, rejected: 1 },
  ...{ left_out: 0, cases: { added: 3, changed: 0, gone: null } },
  ...{ first_at: '2026-01-05T10:00:00Z', last_at: '2026-01-09T15:20:00Z' },
  rejections: [{ reason: 'Opened "some day" is no time', count: 1, first: ['5'] }],
  ignored: {},
  warnings: [],
  story: ['Case 1 (times in UTC):', '  2026-01-05 10:00:00  is created'],
};
const anImport = {
  ...{ id: 4, name: 'tickets.csv', size: 48_211, by: 'ann@acme.example', state: 'checked' },
  ...{ can: ['correct', 'load', 'undo'], problem: null, upload: null, progress: null },
  ...{ format: 'csv', why: 'it has the columns Ticket, Opened, Owner', zone: null, source: 'upload-4' },
  mapping: { kind: 'tickets', time: { zone: 'UTC' }, case: 'Ticket', created: 'Opened', agent: 'Owner' },
  ...{ complete: false, questions: [], answers: { zone: 'UTC' } },
  proposal: {
    kind: 'tickets',
    roles: [
      { role: 'case', label: 'Case', column: 'Ticket', state: 'proven', why: 'each value stands in one row' },
      {
        role: 'created',
        label: 'Created at',
        column: 'Opened',
        state: 'proven',
        why: 'it is the only column of times',
      },
      { role: 'assignee', label: 'Assignee', column: 'Owner', state: 'likely', why: 'by its name' },
    ],
    meanings: [],
    columns: ['Ticket', 'Opened', 'Owner'],
  },
  notes: [{ what: '"Ticket" is the case.', why: 'by its name', is_sure: true }],
  preview: { header: ['Ticket', 'Opened', 'Owner'], rows: [['1', '2026-01-05 10:00:00', 'Ann']] },
  check: outcome,
  result: null,
  ...{ created_at, updated_at },
  _links: { self: link('/api/v2/imports/4', 'import'), rejected: null },
};

/**
 * An example of each schema of a reply, by its name in the OpenAPI document; by the name of the route where the schema
 * has none.
 */
const EXAMPLES: Readonly<Record<string, unknown>> = {
  Topic: topic,
  TopicBrand: brand,
  TopicTranslation: translation,
  Macro: macro,
  MacroAction: action,
  Article: article,
  ArticleAttachmentsPage: pageOf('/api/v2/articles/9/attachments', []),
  ArticleTranslation: articleTranslation,
  Brand: siteBrand,
  User: user,
  CreatedUser: { ...user, password: SHOWN_ONCE },
  Me: user,
  Site: site,
  Calendar: calendar,
  SlaPolicy: policy,
  SourcesPage: pageOf('/api/v2/sources', [source]),
  LoginsPage: { _embedded: { entries: [login] } },
  SiteTokensPage: {
    _embedded: {
      entries: [
        { ...token, login: 'ann@acme.example', _links: { self: link('/api/v2/site/tokens/120394857', 'token') } },
      ],
    },
  },
  Import: anImport,
  Session: {
    ...{ id: 98_765_432, token: SHOWN_ONCE, login: 'ann@acme.example', role: 'Agent' },
    expires_at: '2026-03-05T00:00:00Z',
  },
  TokensPage: { _embedded: { entries: [{ ...token, current: false }] } },
  Token: { ...token, token: SHOWN_ONCE },
  Group: group,
  Label: label,
  Company: company,
  CompanyEnhancements: { enabled: false },
  Channel: channel,
  CustomField: customField,
  AuditPage: {
    _links: {
      self: { href: '/api/v2/audit?resource=topics', class: 'page' },
      next: null,
    },
    _embedded: {
      entries: [
        {
          id: '6f1c1c0e-3a5e-4f0e-9a57-0d2f6d1f3b11',
          at: '2026-03-01T12:00:00Z',
          user: 'ann@acme.example',
          via: 'api',
          action: 'update',
          resource: 'topics/5',
          fields: ['name'],
          count: null,
        },
      ],
    },
  },
  Meta: meta,
  Report: report,
  ReportCasesPage: cases,
  CaseStory: story,
  Definitions: {
    ...definitions(),
    site: {
      ...{ time_zone: 'Europe/Berlin', week_start: 'monday', locales: ['en_us', 'de'], default_locale: 'en_us' },
      case_url: 'https://help.example/tickets/{case}',
    },
  },
  SavedReport: savedReport,
  Board: board,
  Subscription: subscription,
  SubscriptionMail: mail,
  Alert: alert,
  checkAlert: { value: 130, before: null, crossed: true, shown: '130', shown_before: '–', shown_bound: '100' },
  DeliveriesPage: {
    lacks: [],
    _embedded: {
      entries: [
        {
          ...{ subscription: 10, alert: null, state: 'done', crossed: null, problem: null },
          ...{ next_at: '2026-11-30T06:30:00Z', sent_at: '2026-11-23T06:30:04Z' },
          ended: [{ login: 'bob@acme.example', why: 'left' }],
        },
      ],
    },
  },
};

/** The ids in the paths of examples. */
const IDS: Readonly<Record<string, number>> = {
  topic_id: 1,
  brand_id: 3,
  macro_id: 5,
  user_id: 7,
  group_id: 7,
  article_id: 9,
};

const pageSchema = z.object({
  properties: z.object({
    _embedded: z.object({ properties: z.object({ entries: z.object({ items: z.looseObject({}) }) }) }),
  }),
});

/** An example of a route's reply: that of its schema, or a page with that of the schema of its entries. */
export function exampleOf({ name, path, list, reply }: Route, nameOf: NamedSchemas['nameOf']): unknown {
  if (reply === undefined) return undefined;
  const schema = toSchema(reply(), 'output');
  const own = EXAMPLES[nameOf(schema) ?? name];
  if (own !== undefined || !list) return own;
  const { items } = pageSchema.parse(schema).properties._embedded.properties.entries;
  return pageOf(
    path.replaceAll(/\{(\w+)\}/g, (_, param) => String(IDS[param])),
    [EXAMPLES[nameOf(items) ?? '']],
  );
}

function pageOf(path: string, entries: readonly unknown[]): unknown {
  return envelope(path, new Map(), { page: 1, perPage: 50 }, { total: entries.length, entries });
}
