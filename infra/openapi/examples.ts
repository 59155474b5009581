import { envelope } from '../../lib/http/page.ts';
import { definitions } from '../../lib/insights/definitions.ts';

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
};
const report = {
  request: {
    fields: ['case_creates', 'resolved_cases'],
    time: {
      min: '2026-01-01T00:00:00-05:00',
      max: '2026-02-01T00:00:00-05:00',
      window_size: 'day',
      time_zone: null,
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

const listOf = (path: string, entry: unknown) =>
  envelope(path, new Map(), { page: 1, perPage: 50 }, { total: 1, entries: [entry] });

const article = {
  id: 9,
  subject: 'How to read an invoice',
  body: 'An invoice has three parts.',
  created_at,
  updated_at,
  _links: {
    self: link('/api/v2/articles/9', 'article'),
    topic: link('/api/v2/topics/1', 'topic'),
    topics: [link('/api/v2/topics/1', 'topic')],
    brands: [link('/api/v2/brands/3', 'brand')],
  },
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
const user = record('/api/v2/users/7', 'user', { name: 'Ann', login: 'ann@acme.example', role: 'Agent', groups: [7] });
const group = record('/api/v2/groups/7', 'group', { name: 'First line' });
const label = record('/api/v2/labels/7', 'label', { name: 'refund' });
const company = record('/api/v2/companies/7', 'company', { name: 'Acme' });
const channel = record('/api/v2/channels/7', 'channel', { name: 'email' });
const customField = record('/api/v2/custom_fields/7', 'custom_field', {
  name: 'plan',
  object: 'case',
  values: ['gold'],
});

/** An example reply of each route that has one, by the route's name; a test checks them against the routes' shapes. */
const outcome = {
  records: { 'case.created': 3, interaction: 2 },
  ...{ events: 5, added: 5, replaced: 0, unchanged: 0, superseded: 0, removed: 0, rejected: 1 },
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
  notes: [{ what: '"Ticket" is the case.', why: 'by its name', is_sure: true }],
  preview: { header: ['Ticket', 'Opened', 'Owner'], rows: [['1', '2026-01-05 10:00:00', 'Ann']] },
  check: outcome,
  result: null,
  ...{ created_at, updated_at },
  _links: { self: link('/api/v2/imports/4', 'import'), rejected: null },
};

export const REPLY_EXAMPLES: Readonly<Record<string, unknown>> = {
  listTopics: listOf('/api/v2/topics', topic),
  showTopic: topic,
  createTopic: topic,
  updateTopic: topic,
  listTopicBrands: listOf('/api/v2/topics/1/brands', brand),
  listTopicTranslations: listOf('/api/v2/topics/1/translations', translation),
  showTopicTranslation: translation,
  createTopicTranslation: translation,
  updateTopicTranslation: translation,
  listMacros: listOf('/api/v2/macros', macro),
  showMacro: macro,
  createMacro: macro,
  updateMacro: macro,
  listMacroActions: listOf('/api/v2/macros/5/actions', action),
  showMacroAction: action,
  createMacroAction: action,
  updateMacroAction: action,
  listArticles: listOf('/api/v2/articles', article),
  searchArticles: listOf('/api/v2/articles/search', article),
  showArticle: article,
  listTopicArticles: listOf('/api/v2/topics/1/articles', article),
  listBrandArticles: listOf('/api/v2/brands/3/articles', article),
  listBrands: listOf('/api/v2/brands', siteBrand),
  showBrand: siteBrand,
  listBrandTopics: listOf('/api/v2/brands/3/topics', topic),
  showTopicBrand: brand,
  listUsers: listOf('/api/v2/users', user),
  showUser: user,
  listImports: listOf('/api/v2/imports', anImport),
  createImport: anImport,
  checkImport: anImport,
  showImport: anImport,
  updateImport: anImport,
  loadImport: anImport,
  undoImport: anImport,
  showMe: user,
  updateMe: user,
  listAudit: {
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
  listGroups: listOf('/api/v2/groups', group),
  showGroup: group,
  listLabels: listOf('/api/v2/labels', label),
  showLabel: label,
  listCompanies: listOf('/api/v2/companies', company),
  showCompany: company,
  listChannels: listOf('/api/v2/channels', channel),
  showChannel: channel,
  listCustomFields: listOf('/api/v2/custom_fields', customField),
  showCustomField: customField,
  showMeta: meta,
  createReport: report,
  listReportCases: cases,
  showCaseStory: story,
  showDefinitions: {
    ...definitions(),
    site: { time_zone: 'Europe/Berlin', week_start: 'monday', locales: ['en_us', 'de'], default_locale: 'en_us' },
  },
  listSavedReports: listOf('/api/v2/saved_reports', savedReport),
  showSavedReport: savedReport,
  createSavedReport: savedReport,
  updateSavedReport: savedReport,
  runSavedReport: report,
};
