/** How a field is measured over the facts of a cell: a count or sum, or where `per` is given a quotient. */
export interface FieldSql {
  readonly from?: 'placed' | 'last_placed'; // default placed
  readonly where: string;
  readonly value: string;
  readonly per?: string; // null where it is 0
}

const RESOLVED = { from: 'last_placed', where: 'true' } as const;

/** insights.md section 2, row by row. */
export const FIELD_SQL: Readonly<Record<string, FieldSql>> = {
  case_creates: { where: `kind = 'created'`, value: 'count(*)' },
  case_deletes: { where: `kind = 'deleted'`, value: 'count(*)' },
  case_views: { where: `kind = 'viewed'`, value: 'count(*)' },
  inbound_cases: { where: `kind = 'created' AND tag = 'inbound'`, value: 'count(*)' },
  outbound_cases: { where: `kind = 'created' AND tag = 'outbound'`, value: 'count(*)' },
  inbound_interactions: { where: `kind = 'interaction' AND tag = 'inbound'`, value: 'count(*)' },
  outbound_interactions: { where: `kind = 'interaction' AND tag = 'outbound'`, value: 'count(*)' },
  avg_interactions: { where: `kind = 'interaction'`, value: 'count(*)', per: 'count(DISTINCT subject)' },
  time_to_first_response: { where: `kind = 'first_reply'`, value: 'sum(seconds)', per: 'count(*)' },
  avg_handle_time: { where: `kind = 'handled'`, value: 'sum(part)', per: 'count(DISTINCT subject)' },
  avg_time_to_resolution: { ...RESOLVED, value: 'sum(seconds)', per: 'count(seconds)' },
  case_resolves: { where: `kind = 'resolved'`, value: 'count(*)' },
  resolved_cases: { where: `kind = 'resolved'`, value: 'count(DISTINCT subject)' },
  case_reopens: { where: `kind = 'reopened'`, value: 'count(*)' },
  case_reopen_rate: {
    where: `kind IN ('resolved', 'reopened')`,
    value: `100 * count(*) FILTER (kind = 'reopened')`,
    per: `count(*) FILTER (kind = 'resolved')`,
  },
  first_contact_resolution_rate: {
    ...RESOLVED,
    value: '100 * count(*) FILTER (replies = 1 AND final)',
    per: 'count(*)',
  },
  agent_replies_per_resolve: { ...RESOLVED, value: 'sum(replies)', per: 'count(*)' },
  resolved_without_response: { ...RESOLVED, value: 'count(*) FILTER (replies = 0)' },
  macro_applied: { where: `kind = 'macro'`, value: 'count(*)' },
  cases_resolved_with_macro: { where: `kind = 'resolved_with_macro'`, value: 'count(DISTINCT subject)' },
  label_applied: { where: `kind = 'label'`, value: 'count(*)' },
  agent_time_online: { where: `kind = 'online'`, value: 'sum(part)' },
};

/** A field's statement: cell → value in whole hundredths, rounded half up from the exact quotient (insights.md rule 25). */
export function fieldStatement({ from = 'placed', where, value, per = '1' }: FieldSql): string {
  return `SELECT h, w, m1, m2, CASE WHEN per = 0 THEN NULL ELSE (200 * value + per) // (2 * per) END AS hundredths
          FROM (SELECT h, w, m1, m2, (${value})::HUGEINT AS value, (${per})::HUGEINT AS per
                FROM ${from} WHERE ${where} GROUP BY h, w, m1, m2)`;
}
