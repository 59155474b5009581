import { certain } from '../../certain.ts';
import { DURATION_NAMES } from '../../insights/definitions/durations.ts';
import {
  countPromises,
  FIELD_NAMES,
  type FieldName,
  fieldNamed,
  nullDimensions,
} from '../../insights/definitions/fields.ts';
import { definitionOf, type Measure } from '../../insights/definitions/measures.ts';
import { quotedText } from '../../insights/sql/dialect.ts';
import { countedMeasures, kindsIn, texts } from '../../insights/sql/located.ts';
import { countedParts } from '../../insights/sql/parts.ts';
import { cellViews, type ReportedSite, streamName, viewPlan, viewWriting, WINDOWS } from './cell-views.ts';

/** The statistics of durations that have a view of their own. */
const STATISTICS = ['min', 'max', 'count', 'p50', 'p90', 'p95', 'p99'] as const;

const FIELDS: readonly FieldName[] = [
  ...FIELD_NAMES,
  ...DURATION_NAMES.flatMap((duration) => STATISTICS.map((statistic) => `${duration}:${statistic}` as const)),
];

/** The fields that have a view: while verdicts on promises are written, none that counts them. */
export const viewedFields = (hasVerdicts: boolean): readonly FieldName[] =>
  FIELDS.filter((field) => hasVerdicts || !countPromises([field]));

/** Statements of DuckDB that make a view for each field of a report over the tables of a site. */
export const reportViews = (reported: ReportedSite, fields: readonly FieldName[]): readonly string[] => [
  ...cellViews(reported),
  ...fields.map((field) => `CREATE OR REPLACE VIEW ${viewName(field)} AS\n${fieldSql(reported, field)};`),
];

/** The name of the view of a field. */
export const viewName = (field: FieldName): string => `report_${field.replace(':', '_')}`;

/** A field's value in each cell in which anything counts; of a cell without a row a report says 0, or null. */
function fieldSql(reported: ReportedSite, name: FieldName): string {
  const [size, dimension] = [1, 2].map((part) => `split_part(m2, '/', ${part})`);
  const nulled = nullDimensions(name);
  const told = nulled.length === 0 ? '' : ` AND dimension NOT IN (${texts(nulled)})`;
  return `SELECT ${quotedText(reported.site)} AS site, size, window_start, dimension, m1 AS member, value
FROM (SELECT *, ${size} AS size, ${dimension} AS dimension FROM (${valueSql(reported, name)})) JOIN ${WINDOWS} USING (size, w) WHERE value IS NOT NULL${told}`;
}

/** What a field counts in each cell, by the statement's part for it: divided and rounded half up, as reports do. */
function valueSql(reported: ReportedSite, name: FieldName): string {
  const field = fieldNamed(name);
  const own = 'total' in field ? definitionOf(field.total) : undefined;
  if (own !== undefined && 'own' in own) {
    const stream = streamName(own.own === 'open' ? 'open' : 'pieces');
    return summed(`${stream} WHERE kind = '${own.own}'`, 'CAST(sum(counts) AS BIGINT)');
  }
  const plan = viewPlan(reported, 'none', '', name);
  const counted = countedMeasures(plan);
  const kinds = [...new Set(counted.flatMap(([, definition]) => kindsIn(definition)))];
  const stream = streamName(kinds.includes('handle') ? 'pieces' : 'happened');
  const rows = `(SELECT * FROM ${stream} WHERE kind IN (${texts(kinds)}))`;
  const parts = countedParts(viewWriting(plan), rows, counted);
  if ('sample' in field) {
    const { from, numbers } = certain(parts.find(({ of }) => of === 'sample'));
    const [size, low, high] = numbers;
    const way = `${field.percent} * (${size} - 1) % 100`;
    return summed(from, `(100 * ${low} + (${way}) * (${high} - ${low})) / 100e0`);
  }
  const part = certain(parts.find(({ of }) => of === 'sums'));
  const sumOf = (measure: Measure): string =>
    certain(part.of === 'sums' ? part.numbers[part.sums.findIndex((one) => one.measure === measure)] : undefined);
  const sum = (measures: readonly Measure[]): string => `(${measures.map(sumOf).join(' + ')})`;
  if ('total' in field) return summed(part.from, `CAST(nullif(${sumOf(field.total)}, 0) AS BIGINT)`);
  const [of, per] = [sum(field.of), sum(field.per)];
  return summed(
    part.from,
    `CASE WHEN ${per} > 0 THEN (${200 * field.times} * ${of} + ${per}) // (2 * ${per}) / 100e0 END`,
  );
}

const summed = (from: string, value: string): string =>
  `SELECT w, m1, m2, ${value} AS value FROM ${from} GROUP BY w, m1, m2`;
