/** One call of an operation. A text `$name` stands for what an earlier step kept. */
export interface Step {
  readonly operation: string; // operationId
  readonly params?: Readonly<Record<string, unknown>>; // of path and query
  readonly body?: Readonly<Record<string, unknown>>;
  readonly status: number;
  readonly keep?: Readonly<Record<string, string>>; // name → path into the reply, such as `_embedded.entries.0.id`
}

const TIME = { min: '2026-01-01T00:00:00Z', max: '2026-02-01T00:00:00Z', window_size: 'none' };

/** Every operation of the API document, once at least, in an order in which each finds what it needs. */
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
  { operation: 'showMeta', status: 200 },
  { operation: 'createReport', body: { fields: ['case_creates'], time: TIME }, status: 200 },
  { operation: 'showHealth', status: 200 },
  { operation: 'showInterface', status: 200 },
];
