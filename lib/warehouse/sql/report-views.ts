import { DURATION_NAMES, DURATIONS, type DurationName } from '../../insights/definitions/durations.ts';
import { FIELD_NAMES, type FieldName, fieldNamed, nullDimensions } from '../../insights/definitions/fields.ts';
import type { RowInSql } from '../../insights/definitions/measure.ts';
import { definitionOf, type Measure } from '../../insights/definitions/measures.ts';
import type { SqlDialect } from './dialect.ts';
import { askedView, CELL, CELL_COLUMNS, placedViews, type SqlView, typed } from './placed.ts';

/** The statistics of durations that have a view of their own. */
const STATISTICS = ['min', 'max', 'count', 'p50', 'p90', 'p95', 'p99'] as const;

/** The views of a warehouse: one for each field of a report, after those that they count from. */
export const reportViews = (sql: SqlDialect): readonly SqlView[] => [
  askedView(sql),
  ...placedViews(sql),
  ...[
    ...FIELD_NAMES,
    ...DURATION_NAMES.flatMap((duration) => STATISTICS.map((statistic) => `${duration}:${statistic}` as const)),
  ].map((field) => fieldView(field, sql)),
];

/** The name of the view of a field. */
export const viewName = (field: FieldName): string => `report_${field.replace(':', '_')}`;

/** The view with a field's value in each cell in which anything counts; the value is null where a report says null. */
export function fieldView(name: FieldName, sql: SqlDialect): SqlView {
  const value = 'total' in fieldNamed(name) ? 'bigint' : 'double';
  return { name: viewName(name), columns: typed(CELL_COLUMNS).set('value', value), sql: valueSql(name, sql) };
}

function valueSql(name: FieldName, { wide, dividedWhole, quantile }: SqlDialect): string {
  const field = fieldNamed(name);
  if ('sample' in field) return sampleSql(field.sample, (value) => quantile(value, field.percent / 100));
  const measures = 'total' in field ? [field.total] : [...field.of, ...field.per];
  const [source = 'placed', ...others] = [...new Set(measures.map(sourceOf))];
  if (others.length > 0) throw new Error(`${name} counts in several ways`);
  const cells = (value: string): string =>
    `SELECT ${CELL}, ${value} AS value FROM ${source} WHERE (${anyOf(measures)})${notNull(name)} GROUP BY ${CELL}`;
  if ('total' in field) return cells(sumSql(field.total));
  const sum = (all: readonly Measure[]): string => `CAST(${all.map(sumSql).join(' + ')} AS ${wide})`;
  const [of, per] = [`${field.times} * ${sum(field.of)}`, sum(field.per)];
  // Rounded half up from the exact quotient, as reports do.
  return cells(`CASE WHEN ${per} > 0 THEN (${dividedWhole(`(200 * ${of} + ${per})`, `(2 * ${per})`)}) / 100e0 END`);
}

/** Leaves out the dimensions by which a field is null. */
function notNull(name: FieldName): string {
  const nulled = nullDimensions(name);
  const among = `(${nulled.map((dimension) => `'${dimension}'`).join(', ')})`;
  return nulled.length === 0 ? '' : ` AND dimension1 NOT IN ${among} AND dimension2 NOT IN ${among}`;
}

/** The view that a measure counts from. */
function sourceOf(measure: Measure): 'placed' | 'placed_last' | 'placed_open' {
  const definition = definitionOf(measure);
  if ('own' in definition) return definition.own === 'open' ? 'placed_open' : 'placed';
  return definition.counts === 'last' ? 'placed_last' : 'placed';
}

/** The kinds of rows that a measure counts. */
function kindsOf(measure: Measure): readonly string[] {
  const definition = definitionOf(measure);
  if ('own' in definition) return [definition.own];
  return 'late' in definition.facts ? [`late_${definition.facts.late}`] : definition.facts.kinds;
}

const isOf = (measure: Measure): string =>
  `kind IN (${kindsOf(measure)
    .map((kind) => `'${kind}'`)
    .join(', ')})`;
const anyOf = (measures: readonly Measure[]): string => [...new Set(measures.map(isOf))].join(' OR ');

/** What a measure is in a cell. */
function sumSql(measure: Measure): string {
  const definition = definitionOf(measure);
  const filter = `FILTER (WHERE ${isOf(measure)})`;
  if (!('own' in definition) && definition.counts === 'once') return `count(DISTINCT case_id) ${filter}`;
  const added = addedBy(measure);
  return added === undefined ? `count(*) ${filter}` : `coalesce(sum(${added}) ${filter}, 0)`;
}

/** What a row adds to a measure, by its definition; undefined if each row adds 1. */
function addedBy(measure: Measure): string | undefined {
  const definition = definitionOf(measure);
  if ('own' in definition) return definition.own === 'online' ? ROW.length : undefined;
  return definition.sql === 1 ? undefined : definition.sql(ROW);
}

const named = (column: string): string => column;

/** A row of `placed`. */
const ROW: RowInSql = {
  ...{ column: named, elapsed: named, length: 'seconds' },
  ...{ positive: 'positive_score', macro: undefined }, // by macro, too, `with_macro` has what counts
};

/** A position in the sorted sample of a duration, in hundredths. */
function sampleSql(duration: DurationName, quantile: (value: string) => string): string {
  const { seconds, count } = DURATIONS[duration];
  const counted = definitionOf(count);
  const added = addedBy(seconds) ?? 'seconds';
  const isOnce = 'counts' in counted && counted.counts === 'once';
  const sample = isOnce
    ? `SELECT ${CELL}, case_id, sum(${added}) AS sampled FROM placed WHERE ${isOf(seconds)} GROUP BY ${CELL}, case_id`
    : `SELECT ${CELL}, ${added} AS sampled FROM ${sourceOf(count)} WHERE ${isOf(seconds)} AND (${added}) IS NOT NULL`;
  const value = `CAST(round(100 * ${quantile('sampled')}) AS BIGINT) / 100e0`;
  return `SELECT ${CELL}, ${value} AS value FROM (${sample}) GROUP BY ${CELL}`;
}
