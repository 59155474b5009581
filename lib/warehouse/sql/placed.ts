import { DIMENSION_NAMES } from '../../insights/dimensions.ts';
import { columnOfMeasure, MEASURE_COLUMNS } from '../tables.ts';

/** A view of DuckDB. */
export interface SqlView {
  readonly name: string;
  readonly sql: string;
}

const values = (names: readonly string[]): string => names.map((name) => `('${name}')`).join(', ');

/** The reports that the views of fields answer. Whoever needs another range or zone replaces this view by a table. */
export const ASKED: SqlView = {
  name: 'asked',
  sql: `SELECT site, time_zone, week_start, exported_at AS now, size,
       NULL::TIMESTAMPTZ AS range_min, NULL::TIMESTAMPTZ AS range_max, a.dimension AS dimension1, b.dimension AS dimension2
FROM sites, (VALUES ${values(['none', 'hour', 'day', 'week', 'month'])}) AS sizes(size),
     (VALUES ${values(['', ...DIMENSION_NAMES])}) AS a(dimension), (VALUES ${values(['', ...DIMENSION_NAMES])}) AS b(dimension)
WHERE a.dimension <> b.dimension OR a.dimension = ''`,
};

const isOfInstants = ['hour_of_day', 'weekday'].map((name) => `'${name}' IN (a.dimension1, a.dimension2)`).join(' OR ');

const nextQuarter = (instant: string): string => `time_bucket(INTERVAL 15 MINUTE, ${instant}) + INTERVAL 15 MINUTE`;

/** The start of the hour of the local clock, as an instant. */
const hourOf = (instant: string): string =>
  `(${instant} - to_seconds(60 * minute(timezone(time_zone, ${instant})) + second(timezone(time_zone, ${instant}))))`;

/** The local start of the day, week or month that contains a local time. */
const dateOf = (local: string): string => `CASE size
    WHEN 'day' THEN date_trunc('day', ${local})
    WHEN 'week' THEN date_trunc('week', ${local} - to_days(week_start::INTEGER)) + to_days(week_start::INTEGER)
    WHEN 'month' THEN date_trunc('month', ${local}) END`;

/** The start of the window of an instant; null for size \`none\`. */
const windowOf = (instant: string): string =>
  `CASE size WHEN 'none' THEN NULL WHEN 'hour' THEN ${hourOf(instant)}
    ELSE timezone(time_zone, ${dateOf(`timezone(time_zone, ${instant})`)}) END`;

const ATTRIBUTES = ['channel', 'assigned_agent', 'assigned_group', 'priority', 'company', 'csat_score'];

/** The members of a case in a dimension, as a list of texts. */
const membersOfCase = (dimension: string): string => `CASE
    WHEN ${dimension} = '' THEN ['']
    ${ATTRIBUTES.map((name) => `WHEN ${dimension} = '${name}' THEN [${name}::VARCHAR]`).join('\n    ')}
    WHEN ${dimension} = 'status' THEN [status]
    WHEN ${dimension} = 'label' THEN labels::VARCHAR[]
    WHEN ${dimension} = 'macro' THEN map_keys(macros)::VARCHAR[]
    WHEN ${dimension} = 'custom_field' THEN custom_members
    WHEN starts_with(${dimension}, 'custom_field:')
      THEN list_filter(custom_members, lambda one: split_part(one, ':', 1) = split_part(${dimension}, ':', 2)) END`;

/** The members of a fact in a dimension. */
const membersOfFact = (dimension: string): string => `CASE
    WHEN ${dimension} = 'action_agent' THEN [action_agent::VARCHAR]
    WHEN kind = 'online' AND ${dimension} = 'assigned_agent' THEN [action_agent::VARCHAR]
    WHEN kind = 'online' AND ${dimension} IN ('action_group', 'assigned_group') THEN list_distinct(agent_groups)::VARCHAR[]
    WHEN ${dimension} = 'action_group' THEN [action_group::VARCHAR]
    WHEN ${dimension} = 'hour_of_day' THEN [hour(timezone(time_zone, begins))::VARCHAR]
    WHEN ${dimension} = 'weekday' THEN [isodow(timezone(time_zone, begins))::VARCHAR]
    WHEN kind = ${dimension} THEN [value::VARCHAR]
    ELSE ${membersOfCase(dimension)} END`;

const CELL = 'site, size, window_start, dimension1, member1, dimension2, member2';

/** By a macro only its own applications count, by the first resolve after them. */
const WITH_MACRO = `CASE WHEN kind <> 'resolve' THEN NULL
    WHEN dimension1 = 'macro' THEN (n >= macros[member1::BIGINT])::BIGINT
    WHEN dimension2 = 'macro' THEN (n >= macros[member2::BIGINT])::BIGINT
    ELSE with_macro END AS with_macro`;

const measureColumns = [...new Set(MEASURE_COLUMNS.map(({ measure }) => columnOfMeasure(measure)))].filter(
  (name) => name !== 'with_macro',
);

/** The views that the fields count from, in the order in which they need one another. */
export const PLACED: readonly SqlView[] = [
  {
    // The values of a listed custom field are members, others count for the field itself.
    name: 'case_now',
    sql: `SELECT c.*, list_transform(map_entries(c.custom_fields), lambda one:
         CASE WHEN list_contains(l.listed, one.key) THEN one.key || ':' || sha256(one.value)[1:16] ELSE one.key::VARCHAR END) AS custom_members
FROM cases c LEFT JOIN (
  SELECT site, list(id) AS listed FROM members WHERE kind = 'custom_field' AND listed GROUP BY site) l USING (site)`,
  },
  {
    // Every fact in every cell in which it counts. Intervals are cut at each quarter of an hour, since zones
    // change their clocks then.
    name: 'placed',
    sql: `WITH clipped AS (
  SELECT a.*, f.* EXCLUDE (site), greatest(f.at, a.range_min) AS since, least(f.until, a.range_max) AS ends,
         f.until IS NOT NULL AND (a.size <> 'none' OR ${isOfInstants}) AS is_cut
  FROM asked a JOIN facts f ON f.site = a.site
  WHERE f.kind <> 'open' AND (a.range_max IS NULL OR f.at < a.range_max)
    AND (a.range_min IS NULL OR coalesce(f.until, f.at + INTERVAL 1 SECOND) > a.range_min)
), cut AS (
  SELECT *, unnest(CASE WHEN is_cut THEN list_prepend(since, range(${nextQuarter('since')}, ends, INTERVAL 15 MINUTE))
    ELSE [since] END) AS begins
  FROM clipped
), joined AS (
  SELECT p.*, c.* EXCLUDE (site, case_id), m.groups AS agent_groups, ${windowOf('begins')} AS window_start,
         epoch(CASE WHEN is_cut THEN least(ends, ${nextQuarter('begins')}) ELSE ends END)::BIGINT - epoch(begins)::BIGINT AS seconds
  FROM cut p LEFT JOIN case_now c ON c.site = p.site AND c.case_id = p.case_id
  LEFT JOIN members m ON p.kind = 'online' AND m.kind = 'agent' AND m.site = p.site AND m.id = p.action_agent
), one AS (SELECT *, unnest(${membersOfFact('dimension1')}) AS member1 FROM joined),
two AS (SELECT *, unnest(${membersOfFact('dimension2')}) AS member2 FROM one)
SELECT ${CELL}, case_id, kind, n, seconds, ${WITH_MACRO}, ${measureColumns.join(', ')}
FROM two WHERE member1 IS NOT NULL AND member2 IS NOT NULL`,
  },
  {
    // Of several resolves or ratings of a case in a cell the last one decides.
    name: 'placed_last',
    sql: `SELECT * FROM placed WHERE kind IN ('resolve', 'rating')
QUALIFY row_number() OVER (PARTITION BY ${CELL}, kind, case_id ORDER BY n DESC) = 1`,
  },
  {
    // Cases open at the end of each window, which is not later than the range and now.
    name: 'placed_open',
    sql: `WITH lasting AS (
  SELECT a.*, f.case_id, f.at, f.until, least(a.range_max, a.now) AS limit_at,
         least(coalesce(f.until, a.now), a.range_max, a.now) AS last_at, greatest(f.at, least(a.range_min, a.now)) AS since
  FROM asked a JOIN facts f ON f.site = a.site AND f.kind = 'open'
  WHERE f.at < least(a.range_max, a.now) AND (f.until IS NULL OR a.range_min IS NULL OR f.until >= least(a.range_min, a.now))
    AND (a.range_min IS NULL OR a.size <> 'none' OR a.range_min <= a.now)
), windows AS (
  SELECT *, unnest(CASE size WHEN 'none' THEN [NULL::TIMESTAMPTZ]
    WHEN 'hour' THEN generate_series(${hourOf('since')}, last_at, INTERVAL 1 HOUR)
    ELSE list_transform(generate_series(${dateOf('timezone(time_zone, since)')}, timezone(time_zone, last_at),
      CASE size WHEN 'day' THEN INTERVAL 1 DAY WHEN 'week' THEN INTERVAL 7 DAY ELSE INTERVAL 1 MONTH END),
      lambda one: timezone(time_zone, one)) END) AS window_start
  FROM lasting WHERE since <= last_at
), ended AS (
  SELECT *, CASE size WHEN 'none' THEN limit_at WHEN 'hour' THEN window_start + INTERVAL 1 HOUR
    ELSE timezone(time_zone, timezone(time_zone, window_start) +
      CASE size WHEN 'day' THEN INTERVAL 1 DAY WHEN 'week' THEN INTERVAL 7 DAY ELSE INTERVAL 1 MONTH END) END AS window_end, least(limit_at, window_end) AS instant
  FROM windows WHERE size = 'none' OR range_max IS NULL OR (window_start < range_max AND window_end > range_min)
), joined AS (
  SELECT e.*, c.* EXCLUDE (site, case_id) FROM ended e JOIN case_now c ON c.site = e.site AND c.case_id = e.case_id
  WHERE e.at < instant AND (e.until IS NULL OR instant <= e.until)
), one AS (SELECT *, unnest(${membersOfCase('dimension1')}) AS member1 FROM joined),
two AS (SELECT *, unnest(${membersOfCase('dimension2')}) AS member2 FROM one)
SELECT ${CELL}, case_id, 'open' AS kind, 0 AS n FROM two WHERE member1 IS NOT NULL AND member2 IS NOT NULL`,
  },
];
