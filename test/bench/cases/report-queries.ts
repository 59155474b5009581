import { fieldNamed, isFieldName } from '../../../lib/insights/definitions/fields.ts';
import type { ReportBody } from '../../support/oracle/example.ts';
import { FIELD_SQL } from '../../support/oracle/fields.ts';
import { KIND } from '../rivals/rival-tables.ts';

/** A report and the same query in SQL for both PostgreSQL and DuckDB. */
export interface ReportQuery {
  readonly name: string;
  readonly body: ReportBody;
  readonly sql: string; // its rows are those of the report: window, members, then the fields
}

const YEAR = { min: '2025-01-01T00:00:00Z', max: '2026-01-01T00:00:00Z' } as const;
const MARCH = { min: '2025-03-01T00:00:00Z', max: '2025-04-01T00:00:00Z' } as const;
const WEEK = { min: '2025-06-02T00:00:00Z', max: '2025-06-09T00:00:00Z' } as const;

const within = ({ min, max }: { readonly min: string; readonly max: string }): string =>
  `f.t >= TIMESTAMP '${plain(min)}' AND f.t < TIMESTAMP '${plain(max)}'`;
const plain = (time: string): string => time.replace('T', ' ').replace('Z', '');
const kinds = (...names: (keyof typeof KIND)[]): string => `f.kind IN (${names.map((name) => KIND[name]).join(', ')})`;
const count = (kind: keyof typeof KIND): string => `count(*) FILTER (WHERE f.kind = ${KIND[kind]})`;
const cases = (...names: (keyof typeof KIND)[]): string =>
  `count(DISTINCT f.case_id) FILTER (WHERE ${kinds(...names)})`;
const per = (value: string, by: string): string => `1.0 * (${value}) / nullif(${by}, 0)`;
const seconds = (until: string, from: string): string => `extract(epoch FROM ${until} - ${from})`;

/** The busiest agents. */
const BUSY = Array.from({ length: 20 }, (_, place) => place + 1);

/** Windows in UTC, which are the best case for the rivals. */
const days = `date_trunc('day', f.t)`;

/** The fields of the original interface, in the order of `ORIGINAL_FIELDS_SQL`. */
export const ORIGINAL_FIELDS: readonly string[] = Object.keys(FIELD_SQL).filter(
  (name) => isFieldName(name) && fieldNamed(name).extension !== true,
);

export const ORIGINAL_FIELDS_BODY: ReportBody = {
  fields: ORIGINAL_FIELDS,
  time: { ...YEAR, window_size: 'month' },
  ...{ dimension1: 'label', dimension2: 'assigned_group' },
};

const ORIGINAL_FIELDS_SQL = `
WITH placed AS (
  SELECT date_trunc('month', f.t) AS w, l.label, c.grp AS m, f.*
  FROM fact f JOIN case_now c ON c.id = f.case_id JOIN case_label l ON l.case_id = f.case_id
  WHERE ${within(YEAR)} AND c.grp IS NOT NULL AND f.kind NOT IN (${KIND.handle}, ${KIND.label})
  UNION ALL
  SELECT date_trunc('month', f.t), f.value, c.grp, f.* FROM fact f JOIN case_now c ON c.id = f.case_id
  WHERE ${within(YEAR)} AND c.grp IS NOT NULL AND f.kind = ${KIND.label}
), cell AS (
  SELECT f.w, f.label, f.m, ${count('created')} AS creates, ${count('delete')} AS deletes, ${count('view')} AS views,
    count(*) FILTER (WHERE f.kind = ${KIND.created} AND f.value = 1) AS in_cases,
    count(*) FILTER (WHERE f.kind = ${KIND.created} AND f.value = 2) AS out_cases,
    ${count('inbound')} AS inbound, ${count('outbound')} AS outbound, ${cases('inbound', 'outbound')} AS talked,
    sum(f.value) FILTER (WHERE f.kind = ${KIND.first_reply}) AS waited, ${count('first_reply')} AS replied,
    ${count('resolve')} AS resolves, ${count('reopen')} AS reopens,
    ${count('macro')} AS macros, ${count('label')} AS labels
  FROM placed f GROUP BY 1, 2, 3
), last AS (
  SELECT w, label, m, count(*) AS resolved, sum(value) AS took, count(value) AS timed, sum(replies) AS replies,
    count(*) FILTER (WHERE replies = 1 AND quiet) AS once, count(*) FILTER (WHERE replies = 0) AS silent,
    count(*) FILTER (WHERE with_macro) AS with_macro
  FROM (SELECT *, row_number() OVER (PARTITION BY w, label, case_id ORDER BY t DESC) AS place
        FROM placed WHERE kind = ${KIND.resolve}) AS r
  WHERE place = 1 GROUP BY 1, 2, 3
), parts AS (
  SELECT date_trunc('month', t) AS w, t, least(u, date_trunc('month', t) + INTERVAL '1 month') AS u, case_id
  FROM fact WHERE kind = ${KIND.handle}
  UNION ALL
  SELECT date_trunc('month', u), date_trunc('month', u), u, case_id
  FROM fact WHERE kind = ${KIND.handle} AND date_trunc('month', u) > t
), handled AS (
  SELECT p.w, l.label, c.grp AS m, sum(${seconds('p.u', 'p.t')}) AS handling, count(DISTINCT p.case_id) AS handled
  FROM parts p JOIN case_now c ON c.id = p.case_id JOIN case_label l ON l.case_id = p.case_id
  WHERE ${within(YEAR).replaceAll('f.t', 'p.t')} AND p.u > p.t AND c.grp IS NOT NULL GROUP BY 1, 2, 3
)
SELECT CAST(w AS varchar), label, m, coalesce(creates, 0), coalesce(deletes, 0), coalesce(views, 0), coalesce(in_cases, 0),
  coalesce(out_cases, 0), coalesce(inbound, 0), coalesce(outbound, 0), ${per('inbound + outbound', 'talked')},
  ${per('waited', 'replied')}, ${per('handling', 'handled')}, ${per('took', 'timed')}, coalesce(resolves, 0),
  coalesce(resolved, 0), coalesce(reopens, 0), ${per('100 * reopens', 'resolves')}, ${per('100 * once', 'resolved')},
  ${per('replies', 'resolved')}, coalesce(silent, 0), coalesce(macros, 0), coalesce(with_macro, 0), coalesce(labels, 0), NULL
FROM cell FULL JOIN last USING (w, label, m) FULL JOIN handled USING (w, label, m)`;

/** The queries of the benchmark. */
export const REPORT_QUERIES: readonly ReportQuery[] = [
  {
    name: 'one count by day',
    body: { fields: ['outbound_interactions'], time: { ...YEAR, window_size: 'day' } },
    sql: `SELECT CAST(${days} AS varchar), NULL, NULL, count(*) FROM fact f
          WHERE ${kinds('outbound')} AND ${within(YEAR)} GROUP BY 1`,
  },
  {
    name: 'day x action agent x channel, distinct, two filters',
    body: {
      fields: ['outbound_interactions', 'avg_interactions', 'case_views', 'resolved_cases'],
      time: { ...YEAR, window_size: 'day' },
      ...{ dimension1: 'action_agent', dimension2: 'channel' },
      filters: [
        [
          ['Include', 'Labels', [{ id: '1' }, { id: '2' }]],
          ['Include', 'Priorities', [{ id: '3' }]],
        ],
      ],
      dimension1_values: BUSY, // with all agents the rows would not fit a reply
    },
    sql: `SELECT CAST(${days} AS varchar), f.agent, c.channel, ${count('outbound')},
            ${per(`count(*) FILTER (WHERE ${kinds('inbound', 'outbound')})`, cases('inbound', 'outbound'))},
            ${count('view')}, ${cases('resolve')}
          FROM fact f JOIN case_now c ON c.id = f.case_id
          WHERE ${kinds('inbound', 'outbound', 'view', 'resolve')} AND ${within(YEAR)} AND c.priority = 3
            AND f.case_id IN (SELECT case_id FROM case_label WHERE label IN (1, 2))
            AND f.agent IN (${BUSY.join(', ')}) AND c.channel IS NOT NULL GROUP BY 1, 2, 3`,
  },
  {
    name: 'month x label x assigned group, all 22 fields',
    body: ORIGINAL_FIELDS_BODY,
    sql: ORIGINAL_FIELDS_SQL,
  },
  {
    name: 'hour for one month',
    body: { fields: ['case_views'], time: { ...MARCH, window_size: 'hour' } },
    sql: `SELECT CAST(date_trunc('hour', f.t) AS varchar), NULL, NULL, count(*) FROM fact f
          WHERE ${kinds('view')} AND ${within(MARCH)} GROUP BY 1`,
  },
  {
    name: 'no window, custom field x macro',
    body: {
      fields: ['case_resolves', 'resolved_cases'],
      time: { ...YEAR, window_size: 'none' },
      ...{ dimension1: 'custom_field', dimension2: 'macro' },
    },
    sql: `SELECT NULL, c.category, m.macro, count(*), count(DISTINCT f.case_id) FROM fact f
          JOIN case_now c ON c.id = f.case_id JOIN case_macro m ON m.case_id = f.case_id
          WHERE ${kinds('resolve')} AND ${within(YEAR)} AND c.category IS NOT NULL GROUP BY 2, 3`,
  },
  {
    name: 'one agent for one week',
    body: {
      fields: ['outbound_interactions', 'case_views', 'resolved_cases'],
      time: { ...WEEK, window_size: 'day' },
      ...{ dimension1: 'action_agent', dimension1_values: [7] },
    },
    sql: `SELECT CAST(${days} AS varchar), f.agent, NULL, ${count('outbound')}, ${count('view')}, ${cases('resolve')}
          FROM fact f WHERE ${kinds('outbound', 'view', 'resolve')} AND ${within(WEEK)} AND f.agent = 7 GROUP BY 1, 2`,
  },
];

/** Reports with more cells than memory holds, or more rows than a reply holds. */
export const TOO_LARGE: readonly ReportBody[] = (['month', 'day', 'hour'] as const).flatMap((window_size) => {
  const all = { fields: Object.keys(FIELD_SQL), time: { ...YEAR, window_size } };
  return [
    { ...all, dimension1: 'action_agent', dimension2: 'custom_field' },
    { ...all, dimension1: 'action_agent', dimension2: 'label' },
    { ...all, dimension1: 'assigned_agent', dimension2: 'action_agent' },
  ];
});
