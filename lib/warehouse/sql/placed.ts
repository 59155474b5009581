import { ATTRIBUTE_COLUMNS } from '../../insights/definitions/columns.ts';
import { DIMENSION_NAMES } from '../../insights/definitions/dimensions.ts';
import { castText } from '../../insights/sql/dialect.ts';
import { columnOfMeasure, MEASURED } from '../tables.ts';
import type { SqlDialect } from './dialect.ts';
import { dimensionsThat, memberLists, quoted } from './member-lists.ts';

/** A view of a warehouse. */
export interface SqlView {
  readonly name: string;
  readonly columns: ReadonlyMap<string, string>; // Trino's type by name, in the order of the query
  readonly sql: string;
}

const values = (names: readonly string[]): string => names.map((name) => `('${name}')`).join(', ');

const ASKED_COLUMNS = [
  'site',
  'time_zone',
  'week_start',
  'now',
  'size',
  'range_min',
  'range_max',
  'dimension1',
  'dimension2',
];

/** Trino's types of columns that are no whole numbers. */
const TYPES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['site', 'time_zone', 'size', 'dimension1', 'dimension2', 'member1', 'member2', 'case_id', 'kind', 'status'].map(
      (name) => [name, 'varchar'],
    ),
  ),
  ...Object.fromEntries(['now', 'range_min', 'range_max', 'window_start'].map((name) => [name, 'timestamp(3)'])),
  labels: 'array(bigint)',
  macros: 'map(bigint,bigint)',
  custom_members: 'array(varchar)',
};

export const typed = (names: readonly string[]): Map<string, string> =>
  new Map(names.map((name) => [name, TYPES[name] ?? 'bigint']));

/** The reports that the views of fields answer. Whoever needs another range or zone replaces this view by a table. */
export const askedView = ({ instant }: SqlDialect): SqlView => ({
  name: 'asked',
  columns: typed(ASKED_COLUMNS),
  sql: `SELECT site, time_zone, week_start, exported_at AS now, size,
       CAST(NULL AS ${instant}) AS range_min, CAST(NULL AS ${instant}) AS range_max, a.dimension AS dimension1, b.dimension AS dimension2
FROM sites CROSS JOIN (VALUES ${values(['none', 'hour', 'day', 'week', 'month'])}) AS sizes(size)
  CROSS JOIN (VALUES ${values(['', ...DIMENSION_NAMES])}) AS a(dimension) CROSS JOIN (VALUES ${values(['', ...DIMENSION_NAMES])}) AS b(dimension)
WHERE a.dimension <> b.dimension OR a.dimension = ''`,
});

/** The columns of a cell of a report. */
export const CELL_COLUMNS = ['site', 'size', 'window_start', 'dimension1', 'member1', 'dimension2', 'member2'];

export const CELL = CELL_COLUMNS.join(', ');

const CASE_NOW = ['site', 'case_id', ...Object.values(ATTRIBUTE_COLUMNS), 'labels', 'macros', 'custom_members'];
const MEASURES = MEASURED.map(columnOfMeasure);
const FACT = ['case_id', 'kind', 'n', 'action_agent', 'action_group', 'value', ...MEASURES];
const PLACED = [...CELL_COLUMNS, 'case_id', 'kind', 'n', 'seconds', 'value', 'positive_score', ...MEASURES];

const of = (table: string, columns: readonly string[]): string => columns.map((name) => `${table}.${name}`).join(', ');

const whole = (number: string): string => `CAST(${number} AS BIGINT)`;

const isOfInstants = dimensionsThat(({ of }) => of === 'instant')
  .map((name) => `'${name}' IN (a.dimension1, a.dimension2)`)
  .join(' OR ');

const MACROS = quoted(dimensionsThat(({ members }) => members === 'macros'));

/** By a macro only its own applications count, by the first resolve after them. */
const WITH_MACRO = `CASE WHEN kind <> 'resolve' THEN NULL
    WHEN dimension1 IN (${MACROS}) THEN ${whole(`n >= macros[${whole('member1')}]`)}
    WHEN dimension2 IN (${MACROS}) THEN ${whole(`n >= macros[${whole('member2')}]`)}
    ELSE with_macro END AS with_macro`;

/** The views that the fields count from, in the order in which they need one another. */
export function placedViews(sql: SqlDialect): readonly SqlView[] {
  const { each, instantOf, local, plus, seconds } = sql;
  const clock = (instant: string): string => local(instant, 'time_zone');
  const dayOf = (time: string): string => `date_trunc('day', ${time})`;
  /** Zones change their clocks at a quarter of an hour. */
  const quarterOf = (instant: string): string => whole(`floor(${seconds(instant)} / 900e0)`);

  /** The start of the hour of the local clock, as an instant. */
  const hourOf = (instant: string): string =>
    plus(instant, `-(60 * minute(${clock(instant)}) + second(${clock(instant)}))`, 'second');

  /** The local start of the day, week or month that contains a local time. */
  const dateOf = (time: string): string => `CASE size
    WHEN 'day' THEN ${dayOf(time)}
    WHEN 'week' THEN ${plus(`date_trunc('week', ${plus(time, '-week_start', 'day')})`, 'week_start', 'day')}
    WHEN 'month' THEN date_trunc('month', ${time}) END`;

  /** The start of the window of an instant; null for size `none`. */
  const windowOf = (instant: string): string =>
    `CASE size WHEN 'none' THEN NULL WHEN 'hour' THEN ${hourOf(instant)}
    ELSE ${instantOf(dateOf(clock(instant)), 'time_zone')} END`;

  const { ofCase, ofFact } = memberLists(sql);

  const customMember = `CASE WHEN contains(l.listed, field)
         THEN ${castText('field')} || ':' || substr(${sql.sha256('c.custom_fields[field]')}, 1, 16) ELSE ${castText('field')} END`;

  const cells = (columns: string, members: (dimension: string) => string): string =>
    `one AS (${each('joined', members('dimension1'), 'member1')}
), two AS (${each('one', members('dimension2'), 'member2')}
)
SELECT ${columns} FROM two WHERE member1 IS NOT NULL AND member2 IS NOT NULL`;

  return [
    {
      // The values of a listed custom field are members, others count for the field itself.
      name: 'case_now',
      columns: typed(CASE_NOW),
      sql: `SELECT ${of('c', CASE_NOW.slice(0, -1))}, ${sql.mapped('map_keys(c.custom_fields)', 'field', customMember)} AS custom_members
FROM cases c LEFT JOIN (
  SELECT site, array_agg(id) AS listed FROM members WHERE kind = 'custom_field' AND listed GROUP BY site) l ON l.site = c.site`,
    },
    {
      // Every fact in every cell in which it counts. Intervals are cut at each quarter of an hour.
      name: 'placed',
      columns: typed(PLACED),
      sql: `WITH clipped AS (
  SELECT ${of('a', ['site', 'size', 'time_zone', 'week_start', 'dimension1', 'dimension2'])}, ${of('f', FACT)},
         greatest(f.at, coalesce(a.range_min, f.at)) AS since,
         least(coalesce(f.until, a.range_max), coalesce(a.range_max, f.until)) AS ends,
         f.until IS NOT NULL AND (a.size <> 'none' OR ${isOfInstants}) AS is_cut
  FROM asked a JOIN facts f ON f.site = a.site
  WHERE f.kind <> 'open' AND (a.range_max IS NULL OR f.at < a.range_max) AND (f.kind NOT LIKE 'late_%' OR f.at < a.now)
    AND (a.range_min IS NULL OR coalesce(f.until, ${plus('f.at', '1', 'second')}) > a.range_min)
), counted AS (
  SELECT c.*, CASE WHEN is_cut THEN greatest(0, ${whole(`ceil(${seconds('ends')} / 900e0)`)} - 1 - ${quarterOf('since')}) ELSE 0 END AS cuts
  FROM clipped c
), stepped AS (${each('counted', sql.upTo('cuts'), 'step')}
), cut AS (
  SELECT s.*, CASE WHEN step = 0 THEN since ELSE ${sql.fromSeconds(`900 * (${quarterOf('since')} + step)`)} END AS begins FROM stepped s
), joined AS (
  SELECT p.*, ${of('c', CASE_NOW.slice(2))}, m.groups AS agent_groups, s.positive_score, ${windowOf('begins')} AS window_start,
         CASE WHEN is_cut THEN least(${seconds('ends')}, 900 * (${quarterOf('begins')} + 1)) ELSE ${seconds('ends')} END - ${seconds('begins')} AS seconds
  FROM cut p JOIN (SELECT site, positive_score FROM sites) s ON s.site = p.site LEFT JOIN case_now c ON c.site = p.site AND c.case_id = p.case_id
  LEFT JOIN members m ON p.kind = 'online' AND m.kind = 'agent' AND m.site = p.site AND m.id = p.action_agent
), ${cells(PLACED.map((name) => (name === 'with_macro' ? WITH_MACRO : name)).join(', '), ofFact)}`,
    },
    {
      // Of several resolves or ratings of a case in a cell the last one decides.
      name: 'placed_last',
      columns: typed(PLACED),
      sql: `SELECT ${PLACED.join(', ')} FROM (
  SELECT p.*, row_number() OVER (PARTITION BY ${CELL}, kind, case_id ORDER BY n DESC) AS place
  FROM placed p WHERE kind IN ('resolve', 'rating')) p
WHERE place = 1`,
    },
    {
      // Cases open at the end of each window, which is not later than the range and now.
      name: 'placed_open',
      columns: typed([...CELL_COLUMNS, 'case_id', 'kind', 'n']),
      sql: `WITH lasting AS (
  SELECT ${of('a', ASKED_COLUMNS)}, f.case_id, f.at, f.until, least(coalesce(a.range_max, a.now), a.now) AS limit_at,
         least(coalesce(f.until, a.now), coalesce(a.range_max, a.now), a.now) AS last_at,
         greatest(f.at, least(coalesce(a.range_min, f.at), a.now)) AS since
  FROM asked a JOIN facts f ON f.site = a.site AND f.kind = 'open'
  WHERE f.at < least(coalesce(a.range_max, a.now), a.now)
    AND (f.until IS NULL OR a.range_min IS NULL OR f.until >= least(a.range_min, a.now))
    AND (a.range_min IS NULL OR a.size <> 'none' OR a.range_min <= a.now)
), based AS (
  SELECT l.*, ${hourOf('since')} AS first_hour, ${dateOf(clock('since'))} AS first_date FROM lasting l WHERE since <= last_at
), counted AS (
  SELECT b.*, CASE size WHEN 'none' THEN 0 WHEN 'hour' THEN ${whole(`floor((${seconds('last_at')} - ${seconds('first_hour')}) / 3600e0)`)}
    WHEN 'month' THEN date_diff('month', first_date, ${clock('last_at')})
    ELSE ${whole(`floor(date_diff('day', first_date, ${clock('last_at')}) / CASE size WHEN 'week' THEN 7e0 ELSE 1e0 END)`)} END AS later
  FROM based b
), stepped AS (${each('counted', sql.upTo('later'), 'step')}
), dated AS (
  SELECT s.*, CASE size WHEN 'day' THEN ${plus('first_date', 'step', 'day')} WHEN 'week' THEN ${plus('first_date', '7 * step', 'day')}
    WHEN 'month' THEN ${plus('first_date', 'step', 'month')} END AS first_day
  FROM stepped s
), windows AS (
  SELECT d.*, CASE size WHEN 'none' THEN NULL WHEN 'hour' THEN ${plus('first_hour', 'step', 'hour')} ELSE ${instantOf('first_day', 'time_zone')} END AS window_start,
    CASE size WHEN 'none' THEN limit_at WHEN 'hour' THEN ${plus('first_hour', 'step + 1', 'hour')}
    ELSE ${instantOf(`CASE size WHEN 'day' THEN ${plus('first_day', '1', 'day')} WHEN 'week' THEN ${plus('first_day', '7', 'day')} ELSE ${plus('first_day', '1', 'month')} END`, 'time_zone')} END AS window_end
  FROM dated d
), ended AS (
  SELECT w.*, least(limit_at, window_end) AS instant FROM windows w
  WHERE size = 'none' OR range_max IS NULL OR ((range_min IS NULL OR window_end > range_min) AND window_start < range_max)
), joined AS (
  SELECT e.*, ${of('c', CASE_NOW.slice(2))} FROM ended e JOIN case_now c ON c.site = e.site AND c.case_id = e.case_id
  WHERE e.at < instant AND (e.until IS NULL OR instant <= e.until)
), ${cells(`${CELL}, case_id, 'open' AS kind, ${whole('0')} AS n`, ofCase)}`,
    },
  ];
}
