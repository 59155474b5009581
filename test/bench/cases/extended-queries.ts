import type { ReportBody } from '../../support/oracle/example.ts';
import { PROMISED } from '../data/history.ts';
import { KIND } from '../rivals/rival-tables.ts';

/** The body of a report, or of a list of cases, with extensions. */
export interface ExtendedBody extends ReportBody {
  readonly time: ReportBody['time'] & { readonly compare?: object };
  readonly totals?: boolean;
  readonly sort?: 'at' | 'value';
  readonly direction?: 'asc' | 'desc';
}

/** A request beyond the original interface, and the same in SQL for both PostgreSQL and DuckDB. */
export interface ExtendedQuery {
  readonly name: string;
  readonly path: 'reports' | 'cases';
  readonly body: ExtendedBody;
  readonly sql: string; // its rows are in the form of `rowsOfReply`
  /** A smaller request to compare with: this one may take at most `most` times as long. */
  readonly beside?: { readonly what: string; readonly changes: Partial<ExtendedBody>; readonly most: number };
}

const YEAR = { min: '2025-01-01T00:00:00Z', max: '2026-01-01T00:00:00Z' } as const;
const MARCH = { min: '2025-03-01T00:00:00Z', max: '2025-04-01T00:00:00Z' } as const;
const FEBRUARY = { min: '2025-02-01T00:00:00Z', max: '2025-03-01T00:00:00Z' } as const;
const WEEK = { min: '2025-06-02T00:00:00Z', max: '2025-06-09T00:00:00Z' } as const;
const GROUP = 2; // of the busiest agent

const plain = (time: string): string => time.replace('T', ' ').replace('Z', '');
const within = ({ min, max }: { readonly min: string; readonly max: string }, t = 'f.t'): string =>
  `${t} >= TIMESTAMP '${plain(min)}' AND ${t} < TIMESTAMP '${plain(max)}'`;
const percentile = (part: number, of = 'value'): string => `percentile_cont(${part}) WITHIN GROUP (ORDER BY ${of})`;

// The working hours of the made-up site are Monday to Friday, 09:00 to 17:00 UTC.
const DAY = 86_400; // s
const OPENS = 9 * 3600;
const LENGTH = 8 * 3600;
const MONDAY = 4 * DAY; // 1970-01-05, s

/** SQL for the working seconds from 1970-01-05 to an instant. */
function worked(t: string): string {
  const since = `(CAST(extract(epoch FROM ${t}) AS float8) - ${MONDAY})`;
  const week = `floor(${since} / ${7 * DAY})`;
  const inWeek = `(${since} - ${week} * ${7 * DAY})`;
  const day = `floor(${inWeek} / ${DAY})`;
  const inDay = `(${inWeek} - ${day} * ${DAY})`;
  return `(${week} * ${5 * LENGTH} + least(${day}, 5) * ${LENGTH}
    + CASE WHEN ${day} < 5 THEN greatest(0, least(${LENGTH}, ${inDay} - ${OPENS})) ELSE 0 END)`;
}

/** SQL for the first instant at which more than `seconds` working seconds have passed since 1970-01-05. */
function passed(seconds: string): string {
  const week = `floor(${seconds} / ${5 * LENGTH})`;
  const inWeek = `(${seconds} - ${week} * ${5 * LENGTH})`;
  const day = `floor(${inWeek} / ${LENGTH})`;
  const second = `(${inWeek} - ${day} * ${LENGTH})`;
  return `TIMESTAMP '1970-01-05 00:00:00' + (${week} * ${7 * DAY} + ${day} * ${DAY} + ${OPENS} + ${second} + 1) * INTERVAL '1 second'`;
}

const SLA_SQL = `
WITH clock AS (
  SELECT n.priority, r.t AS replied, s.t AS stopped, ${worked('c.t')} AS began, ${worked('r.t')} AS answered, ${worked('s.t')} AS ended
  FROM fact c JOIN case_now n ON n.id = c.case_id
  LEFT JOIN fact r ON r.case_id = c.case_id AND r.kind = ${KIND.first_reply}
  LEFT JOIN (SELECT case_id, min(t) AS t FROM fact WHERE kind IN (${KIND.resolve}, ${KIND.delete}) GROUP BY 1) s ON s.case_id = c.case_id
  WHERE c.kind = ${KIND.created} AND c.value = 1
), judged AS (
  SELECT priority, replied, began,
    replied IS NOT NULL AND answered - began <= ${PROMISED} AND (stopped IS NULL OR replied <= stopped) AS met,
    stopped IS NOT NULL AND ended - began <= ${PROMISED} AND (replied IS NULL OR stopped < replied) AS void
  FROM clock
), verdict AS (
  SELECT priority, met, CASE WHEN met THEN replied ELSE ${passed(`(began + ${PROMISED})`)} END AS t FROM judged WHERE met OR NOT void
)
SELECT CAST(date_trunc('week', t) AS varchar), priority, NULL, 100.0 * count(*) FILTER (WHERE met) / count(*)
FROM verdict WHERE ${within(YEAR, 't')} AND priority IS NOT NULL GROUP BY date_trunc('week', t), priority`;

const BACKLOG_SQL = `
WITH change AS (
  SELECT date_trunc('day', f.t) AS day, c.grp, sum(CASE WHEN f.kind = ${KIND.resolve} THEN -1 ELSE 1 END) AS delta
  FROM fact f JOIN case_now c ON c.id = f.case_id
  WHERE f.kind IN (${KIND.created}, ${KIND.resolve}, ${KIND.reopen}) AND c.grp IS NOT NULL GROUP BY 1, 2
), days AS (
  SELECT d.day, g.grp FROM generate_series(TIMESTAMP '2025-01-01', TIMESTAMP '2025-12-31', INTERVAL '1 day') AS d(day),
    (SELECT DISTINCT grp FROM case_now WHERE grp IS NOT NULL) AS g
), open AS (
  SELECT days.day, days.grp, sum(coalesce(change.delta, 0)) OVER (PARTITION BY days.grp ORDER BY days.day) AS cases
  FROM days LEFT JOIN change ON change.day = days.day AND change.grp = days.grp
)
SELECT CAST(day AS varchar), grp, NULL, cases FROM open WHERE cases <> 0`;

const MONTH_SQL = `
WITH part AS (
  SELECT CASE WHEN f.t >= TIMESTAMP '${plain(MARCH.min)}' THEN '' ELSE 'comparison.' END AS part, date_trunc('day', f.t) AS day, c.channel,
    f.kind, f.case_id, f.value
  FROM fact f JOIN case_now c ON c.id = f.case_id
  WHERE ${within({ min: FEBRUARY.min, max: MARCH.max })} AND f.kind IN (${KIND.created}, ${KIND.resolve}, ${KIND.first_reply})
)
SELECT part || CASE grouping(day) + 2 * grouping(channel) WHEN 0 THEN 'data' WHEN 1 THEN 'totals.members' WHEN 2 THEN 'totals.windows'
    ELSE 'totals.all' END || ' ' || coalesce(CAST(day AS varchar), ''), channel, NULL,
  count(*) FILTER (WHERE kind = ${KIND.created}), count(DISTINCT CASE WHEN kind = ${KIND.resolve} THEN case_id END),
  ${percentile(0.5, `CASE WHEN kind = ${KIND.first_reply} THEN value END`)}
FROM part GROUP BY GROUPING SETS ((part, day, channel), (part, channel), (part, day), (part))`;

export const EXTENDED_QUERIES: readonly ExtendedQuery[] = [
  {
    name: 'median and p90 of first response by day x agent',
    path: 'reports',
    body: {
      fields: ['time_to_first_response:p50', 'time_to_first_response:p90'],
      time: { ...YEAR, window_size: 'day' },
      dimension1: 'action_agent',
    },
    sql: `SELECT CAST(date_trunc('day', f.t) AS varchar), f.agent, NULL, ${percentile(0.5)}, ${percentile(0.9)} FROM fact f
          WHERE f.kind = ${KIND.first_reply} AND ${within(YEAR)} AND f.agent IS NOT NULL GROUP BY date_trunc('day', f.t), f.agent`,
    beside: { what: 'the mean', changes: { fields: ['time_to_first_response'] }, most: 2.5 },
  },
  {
    name: 'p50, p90, p99 of resolution by month x group',
    path: 'reports',
    body: {
      fields: ['time_to_resolution:p50', 'time_to_resolution:p90', 'time_to_resolution:p99'],
      time: { ...YEAR, window_size: 'month' },
      dimension1: 'assigned_group',
    },
    sql: `SELECT CAST(w AS varchar), grp, NULL, ${percentile(0.5)}, ${percentile(0.9)}, ${percentile(0.99)}
          FROM (SELECT date_trunc('month', f.t) AS w, c.grp, f.value,
                  row_number() OVER (PARTITION BY f.case_id, date_trunc('month', f.t) ORDER BY f.t DESC) AS place
                FROM fact f JOIN case_now c ON c.id = f.case_id
                WHERE f.kind = ${KIND.resolve} AND ${within(YEAR)} AND c.grp IS NOT NULL) AS last
          WHERE place = 1 GROUP BY w, grp`,
    beside: { what: 'the mean', changes: { fields: ['avg_time_to_resolution'] }, most: 2.5 },
  },
  {
    name: 'backlog by day over a year by group',
    path: 'reports',
    body: { fields: ['open_cases'], time: { ...YEAR, window_size: 'day' }, dimension1: 'assigned_group' },
    sql: BACKLOG_SQL,
  },
  {
    name: 'SLA rate in business hours by week x priority',
    path: 'reports',
    body: { fields: ['sla_first_response_rate'], time: { ...YEAR, window_size: 'week' }, dimension1: 'priority' },
    sql: SLA_SQL,
  },
  {
    name: 'weekday x hour of inbound messages',
    path: 'reports',
    body: {
      fields: ['inbound_interactions'],
      time: { ...YEAR, window_size: 'none' },
      ...{ dimension1: 'weekday', dimension2: 'hour_of_day' },
    },
    sql: `SELECT NULL, extract(isodow FROM f.t), extract(hour FROM f.t), count(*) FROM fact f
          WHERE f.kind = ${KIND.inbound} AND ${within(YEAR)} GROUP BY 2, 3`,
  },
  {
    name: 'a month with totals and comparison',
    path: 'reports',
    body: {
      fields: ['case_creates', 'resolved_cases', 'time_to_first_response:p50'],
      time: { ...MARCH, window_size: 'day', time_zone: 'UTC', compare: FEBRUARY },
      dimension1: 'channel',
      totals: true,
    },
    sql: MONTH_SQL,
    beside: { what: 'no totals', changes: { totals: false }, most: 1.5 },
  },
  {
    name: 'the first page of cases behind a cell',
    path: 'cases',
    body: {
      fields: ['time_to_first_response'],
      time: { ...WEEK, window_size: 'none' },
      ...{ dimension1: 'assigned_group', dimension1_values: [GROUP], sort: 'value', direction: 'desc' },
    },
    sql: `SELECT f.case_id, NULL, NULL, f.value FROM fact f JOIN case_now c ON c.id = f.case_id
          WHERE f.kind = ${KIND.first_reply} AND ${within(WEEK)} AND c.grp = ${GROUP} ORDER BY f.value DESC, f.t, f.case_id LIMIT 50`,
  },
];

/** The rows of a reply in one list; if it has several tables, the window has the name of the table in front. */
export function rowsOfReply(reply: Reply): readonly (readonly (string | number | null)[])[] {
  if (reply.cases !== undefined) return reply.cases.map((one) => [one.case, null, null, one.value]);
  const { data = [], totals, comparison } = reply;
  if (totals === undefined && comparison === undefined) return data;
  const tables = { ...tablesOf({ data, totals }, ''), ...(comparison ? tablesOf(comparison, 'comparison.') : {}) };
  return Object.entries(tables).flatMap(([table, rows]) =>
    rows.map(([window, ...row]) => [`${table} ${window ?? ''}`, ...row]),
  );
}

type Rows = readonly (readonly (string | number | null)[])[];
interface Tables {
  readonly data: Rows;
  readonly totals?: Readonly<Record<string, Rows>> | undefined;
}
export interface Reply extends Partial<Tables> {
  readonly comparison?: Tables;
  readonly cases?: readonly { readonly case: number; readonly value: number }[];
}

const tablesOf = ({ data, totals = {} }: Tables, before: string): Record<string, Rows> => ({
  [`${before}data`]: data,
  ...Object.fromEntries(Object.entries(totals).map(([name, rows]) => [`${before}totals.${name}`, rows])),
});
