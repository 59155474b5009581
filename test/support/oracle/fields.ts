import type { DurationName } from '../../../lib/insights/definitions/durations.ts';
import type { PlainFieldName } from '../../../lib/insights/definitions/fields.ts';
import type { SlaMetric } from '../../../lib/insights/promises/sla-policies.ts';
import type { ReportBody } from './example.ts';

/** How a field is computed from the facts of a cell: a count or sum, or with `per` a quotient. */
export interface FieldSql {
  readonly from?: 'placed' | 'last_placed' | 'last_rated' | 'placed_open'; // default placed
  readonly where: string;
  readonly value: string;
  readonly per?: string; // if it is 0 the field is null
}

const RESOLVED = { from: 'last_placed', where: 'true' } as const;

const kept = (metric: SlaMetric): string => `kind = 'sla_${metric}_met'`;
const broken = (metric: SlaMetric): string => `kind = 'sla_${metric}_missed'`;
const keptOf = (metric: SlaMetric): FieldSql => ({ where: kept(metric), value: 'count(*)' });
const brokenOf = (metric: SlaMetric): FieldSql => ({ where: broken(metric), value: 'count(*)' });
const rateOf = (metric: SlaMetric): FieldSql => ({
  where: `${kept(metric)} OR ${broken(metric)}`,
  value: `100 * count(*) FILTER (${kept(metric)})`,
  per: 'count(*)',
});

/** The fields of docs/insights.md, row by row. The compiler asks for one that is missing. */
export const FIELD_SQL: Readonly<Record<PlainFieldName, FieldSql>> = {
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
  reopened_resolves: { where: `kind = 'resolved' AND taken_back`, value: 'count(*)' },
  reopened_resolve_rate: { where: `kind = 'resolved'`, value: '100 * count(*) FILTER (taken_back)', per: 'count(*)' },
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
  reply_time: { where: `kind = 'answered'`, value: 'sum(seconds)', per: 'count(*)' },
  csat_ratings: { from: 'last_rated', where: 'true', value: 'count(*)' },
  csat_score: { from: 'last_rated', where: 'true', value: 'sum(seconds)', per: 'count(*)' },
  csat_positive_rate: {
    from: 'last_rated',
    where: 'true',
    value: `100 * count(*) FILTER (seconds >= (SELECT CASE WHEN yes_no THEN 1 ELSE 3 END FROM report r WHERE r.h = last_rated.h))`,
    per: 'count(*)',
  },
  open_cases: { from: 'placed_open', where: 'true', value: 'count(*)' },
  agent_time_online: { where: `kind = 'online'`, value: 'sum(part)' },
  sla_first_response_met: keptOf('first_response'),
  sla_first_response_missed: brokenOf('first_response'),
  sla_first_response_rate: rateOf('first_response'),
  sla_reply_met: keptOf('reply'),
  sla_reply_missed: brokenOf('reply'),
  sla_reply_rate: rateOf('reply'),
  sla_resolution_met: keptOf('resolution'),
  sla_resolution_missed: brokenOf('resolution'),
  sla_resolution_rate: rateOf('resolution'),
};

/** The sample of a duration: rows with one value each; their mean is the plain field. */
interface SampleSql {
  readonly from: string;
  readonly value: string;
}

/** The durations with statistics (docs/insights.md, Statistics). */
export const SAMPLE_SQL: Readonly<Record<DurationName, SampleSql>> = {
  time_to_first_response: { from: `(FROM placed WHERE kind = 'first_reply')`, value: 'seconds' },
  time_to_resolution: { from: `(FROM last_placed WHERE seconds IS NOT NULL)`, value: 'seconds' },
  reply_time: { from: `(FROM placed WHERE kind = 'answered')`, value: 'seconds' },
  handle_time: {
    from: `(SELECT h, w, m1, m2, subject, sum(part) AS part FROM placed WHERE kind = 'handled' GROUP BY ALL)`,
    value: 'part',
  },
};

const STATISTICS: Readonly<Record<string, (value: string) => string>> = {
  mean: (value) => `(200 * sum(${value})::HUGEINT + count(*)) // (2 * count(*))`,
  min: (value) => `100 * min(${value})`,
  max: (value) => `100 * max(${value})`,
  count: () => '100 * count(*)',
};

/** Whether a field is always null in a report; `ofCases`: some dimension or filter is of cases only. */
export function isNullIn(
  field: string,
  { dimension1, dimension2 }: Pick<ReportBody, 'dimension1' | 'dimension2'>,
  ofCases: boolean,
): boolean {
  if (field === 'agent_time_online') return ofCases;
  const isOfNobody = /^sla_\w+_(missed|rate)$/.test(field);
  if (isOfNobody) return [dimension1, dimension2].some((name) => name === 'action_agent' || name === 'action_group');
  const noCase = ['action_agent', 'action_group', 'hour_of_day', 'weekday'];
  return field === 'open_cases' && [dimension1, dimension2].some((name) => noCase.includes(name ?? ''));
}

/** Whether a field is 0, and not null, in a cell where nothing happened. */
export const isTotal = (field: string): boolean =>
  field.endsWith(':count') || (FIELDS.has(field) && FIELDS.get(field)?.per === undefined);

const FIELDS: ReadonlyMap<string, FieldSql> = new Map(Object.entries(FIELD_SQL));
const SAMPLES: ReadonlyMap<string, SampleSql> = new Map(Object.entries(SAMPLE_SQL));

/** The statement that gives the value of a field in each cell, in whole hundredths. */
export function statementOf(field: string): string {
  const [duration = '', statistic = ''] = field.split(':');
  const definition = FIELDS.get(field);
  if (definition !== undefined) return fieldStatement(definition);
  const sample = SAMPLES.get(duration);
  if (sample === undefined) throw new Error(`The oracle has no field ${field}`);
  const made = STATISTICS[statistic] ?? ((value) => percentileOf(value, Number(statistic.slice(1))));
  return `SELECT h, w, m1, m2, ${made(sample.value)} AS hundredths FROM ${sample.from} GROUP BY h, w, m1, m2`;
}

/**
 * The statement that gives of each cell what a field is made of: a sum and what it is divided by, and of a statistic and
 * a mean of single values the sample.
 */
export function partsStatement(field: string): string {
  const [duration = ''] = field.split(':');
  const sample = field.includes(':') ? SAMPLES.get(duration) : undefined;
  if (sample !== undefined)
    return `SELECT h, w, m1, m2, list((${sample.value})::BIGINT) AS sample FROM ${sample.from} GROUP BY h, w, m1, m2`;
  const definition = FIELDS.get(field);
  if (definition === undefined) throw new Error(`The oracle has no field ${field}`);
  const { from = 'placed', where, value, per = '1' } = definition;
  const [, single] = (per.includes('DISTINCT') || per === '1' ? null : /^sum\((\w+)\)$/.exec(value)) ?? [];
  const values = single === undefined ? '[]' : `coalesce(list(${single}::BIGINT) FILTER (${single} IS NOT NULL), [])`;
  return `SELECT h, w, m1, m2, (${value})::BIGINT AS sum, (${per})::BIGINT AS per, ${values} AS sample
          FROM ${from} WHERE ${where} GROUP BY h, w, m1, m2`;
}

/** Whether a case counts once in a cell of a field, so that it is of each of several members who acted. */
export const countsCasesOnce = (field: string): boolean => {
  if (/^(time_to_resolution|handle_time):/.test(field)) return true;
  const { from = '', value = '', per = '' } = FIELDS.get(field) ?? {};
  return ['last_placed', 'last_rated'].includes(from) || `${value} ${per}`.includes('DISTINCT');
};

/** DuckDB's own percentile. For whole seconds it is in whole hundredths, apart from rounding errors of floats. */
const percentileOf = (value: string, percent: number): string =>
  `round(100 * quantile_cont(${value}::DOUBLE, ${percent / 100}))::HUGEINT`;

/** The same for a plain field: values are rounded half up from the exact quotient (docs/rules.md 25). */
function fieldStatement({ from = 'placed', where, value, per = '1' }: FieldSql): string {
  return `SELECT h, w, m1, m2, CASE WHEN per = 0 THEN NULL ELSE (200 * value + per) // (2 * per) END AS hundredths
          FROM (SELECT h, w, m1, m2, (${value})::HUGEINT AS value, (${per})::HUGEINT AS per
                FROM ${from} WHERE ${where} GROUP BY h, w, m1, m2)`;
}
