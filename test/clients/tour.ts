/** One call of an operation. A text `$name` stands for what an earlier step kept. */
export interface Step {
  readonly operation: string; // operationId
  readonly params?: Readonly<Record<string, unknown>>; // of path and query
  readonly body?: Readonly<Record<string, unknown>>;
  readonly status: number;
  readonly keep?: Readonly<Record<string, string>>; // name → path into the reply, such as `_embedded.entries.0.id`
}

const DAY = 86_400_000; // ms
const day = (ago: number): string => new Date(Date.now() - ago * DAY).toISOString().slice(0, 19).concat('Z');

/** Where the demo site has its history. */
const TIME = { min: day(60), max: day(1), window_size: 'none' };

/** Operations on a file of history, which comes as a body that is no JSON; test/infra/local/uploads.test.ts does them. */
export const OF_FILES: readonly string[] = [
  ...['createImport', 'checkImport', 'showImport', 'updateImport', 'loadImport', 'undoImport', 'showRejected'],
];

/** Every other operation of the API document, once at least, in an order in which each finds what it needs. */
export const TOUR: readonly Step[] = [
  { operation: 'createTopic', body: { name: 'A tour' }, status: 201, keep: { topic: 'id' } },
  { operation: 'listTopics', params: { page: 1, per_page: 5, sort_field: 'name' }, status: 200 },
  { operation: 'showTopic', params: { topic_id: '$topic' }, status: 200 },
  { operation: 'updateTopic', params: { topic_id: '$topic' }, body: { description: 'All there is' }, status: 200 },
  { operation: 'listTopicBrands', params: { topic_id: '$topic' }, status: 200 },
  {
    operation: 'createTopicTranslation',
    params: { topic_id: '$topic' },
    body: { name: 'Ein Rundgang', locale: 'de' },
    status: 201,
  },
  { operation: 'listTopicTranslations', params: { topic_id: '$topic' }, status: 200 },
  { operation: 'showTopicTranslation', params: { topic_id: '$topic', locale: 'de' }, status: 200 },
  {
    operation: 'updateTopicTranslation',
    params: { topic_id: '$topic', locale: 'de' },
    body: { name: 'Rundgang' },
    status: 200,
  },
  { operation: 'listBrands', status: 200, keep: { brand: '_embedded.entries.0.id' } },
  { operation: 'showBrand', params: { brand_id: '$brand' }, status: 200 },
  { operation: 'listBrandTopics', params: { brand_id: '$brand' }, status: 200 },
  { operation: 'listBrandArticles', params: { brand_id: '$brand' }, status: 200 },
  { operation: 'listTopicArticles', params: { topic_id: '$topic' }, status: 200 },
  { operation: 'listTopics', params: { sort_field: 'id' }, status: 200, keep: { first: '_embedded.entries.0.id' } },
  {
    operation: 'listTopicBrands',
    params: { topic_id: '$first' },
    status: 200,
    keep: { its_brand: '_embedded.entries.0.id' },
  },
  { operation: 'showTopicBrand', params: { topic_id: '$first', brand_id: '$its_brand' }, status: 200 },
  { operation: 'listArticles', status: 200, keep: { article: '_embedded.entries.0.id' } },
  { operation: 'showArticle', params: { article_id: '$article' }, status: 200 },
  { operation: 'searchArticles', params: { text: 'a' }, status: 200 },
  { operation: 'deleteTopicTranslation', params: { topic_id: '$topic', locale: 'de' }, status: 204 },
  { operation: 'deleteTopic', params: { topic_id: '$topic' }, status: 204 },
  { operation: 'createMacro', body: { name: 'A tour' }, status: 201, keep: { macro: 'id' } },
  { operation: 'listMacros', params: { sort_field: 'name' }, status: 200 },
  { operation: 'showMacro', params: { macro_id: '$macro' }, status: 200 },
  { operation: 'updateMacro', params: { macro_id: '$macro' }, body: { enabled: false }, status: 200 },
  {
    operation: 'createMacroAction',
    params: { macro_id: '$macro' },
    body: { type: 'set-case-status', value: 'resolved' },
    status: 201,
    keep: { action: 'id' },
  },
  { operation: 'listMacroActions', params: { macro_id: '$macro' }, status: 200 },
  { operation: 'showMacroAction', params: { macro_id: '$macro', action_id: '$action' }, status: 200 },
  {
    operation: 'updateMacroAction',
    params: { macro_id: '$macro', action_id: '$action' },
    body: { value: 'closed' },
    status: 200,
  },
  { operation: 'deleteMacroAction', params: { macro_id: '$macro', action_id: '$action' }, status: 204 },
  { operation: 'deleteMacro', params: { macro_id: '$macro' }, status: 204 },
  { operation: 'listUsers', status: 200, keep: { user: '_embedded.entries.0.id' } },
  { operation: 'showUser', params: { user_id: '$user' }, status: 200 },
  { operation: 'listGroups', status: 200, keep: { group: '_embedded.entries.0.id' } },
  { operation: 'showGroup', params: { group_id: '$group' }, status: 200 },
  { operation: 'listLabels', status: 200, keep: { label: '_embedded.entries.0.id' } },
  { operation: 'showLabel', params: { label_id: '$label' }, status: 200 },
  { operation: 'listCompanies', status: 200, keep: { company: '_embedded.entries.0.id' } },
  { operation: 'showCompany', params: { company_id: '$company' }, status: 200 },
  { operation: 'listChannels', status: 200, keep: { channel: '_embedded.entries.0.id' } },
  { operation: 'showChannel', params: { channel_id: '$channel' }, status: 200 },
  { operation: 'listCustomFields', status: 200, keep: { customField: '_embedded.entries.0.id' } },
  { operation: 'showCustomField', params: { custom_field_id: '$customField' }, status: 200 },
  { operation: 'listImports', status: 200 },
  { operation: 'showMe', status: 200 },
  {
    operation: 'updateMe',
    body: { password: 'a password on tour', current_password: 'not the current one' },
    status: 422,
  },
  { operation: 'listAudit', params: { resource: 'topics', per_page: 5 }, status: 200 },
  { operation: 'showMeta', status: 200 },
  { operation: 'showDefinitions', status: 200 },
  {
    operation: 'listReportCases',
    body: { fields: ['case_creates'], time: TIME },
    status: 200,
    keep: { case: 'cases.0.case' },
  },
  { operation: 'showCaseStory', params: { case_key: '$case' }, status: 200 },
  {
    operation: 'createSavedReport',
    body: { name: 'A tour', request: { fields: ['case_creates'], time: TIME } },
    status: 201,
    keep: { saved: 'id' },
  },
  { operation: 'listSavedReports', status: 200 },
  { operation: 'showSavedReport', params: { saved_report_id: '$saved' }, status: 200 },
  { operation: 'updateSavedReport', params: { saved_report_id: '$saved' }, body: { name: 'The tour' }, status: 200 },
  { operation: 'runSavedReport', params: { saved_report_id: '$saved' }, status: 200 },
  { operation: 'deleteSavedReport', params: { saved_report_id: '$saved' }, status: 204 },
  { operation: 'createReport', body: { fields: ['case_creates'], time: TIME }, status: 200 },
  { operation: 'showHealth', status: 200 },
  { operation: 'showInterface', status: 200 },
];
