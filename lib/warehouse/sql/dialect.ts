/** What DuckDB and Trino, the engine of Athena, spell differently. The arguments are SQL texts. */
export interface SqlDialect {
  readonly instant: string; // the type of an instant
  readonly texts: string; // the type of a list of texts
  readonly wide: string; // a type of whole numbers for sums of seconds times 200
  /** The time of a wall clock in a zone. */
  readonly local: (instant: string, zone: string) => string;
  /** The instant at which a wall clock in a zone shows a time. */
  readonly instantOf: (local: string, zone: string) => string;
  readonly fromSeconds: (seconds: string) => string;
  /** Seconds since 1970 as a whole number. */
  readonly seconds: (instant: string) => string;
  readonly plus: (time: string, count: string, unit: 'second' | 'hour' | 'day' | 'month') => string;
  /** 1 for Monday to 7. */
  readonly weekday: (local: string) => string;
  /** The numbers from 0 to `last`. */
  readonly upTo: (last: string) => string;
  /** A query of the rows of `from`, once for each element of a list, which is the column `name`. */
  readonly each: (from: string, list: string, name: string) => string;
  readonly mapped: (list: string, one: string, to: string) => string;
  readonly kept: (list: string, one: string, condition: string) => string;
  readonly distinct: (list: string) => string;
  readonly sha256: (text: string) => string; // in lower case
  readonly dividedWhole: (a: string, b: string) => string;
  /** The value at a part (0 to 1) of the way through the sorted values of a group, between neighbours by its distance. */
  readonly quantile: (value: string, part: number) => string;
}

export const DUCKDB: SqlDialect = {
  instant: 'TIMESTAMPTZ',
  texts: 'VARCHAR[]',
  wide: 'HUGEINT',
  local: (instant, zone) => `timezone(${zone}, ${instant})`,
  instantOf: (local, zone) => `timezone(${zone}, ${local})`,
  fromSeconds: (seconds) => `to_timestamp(${seconds})`,
  seconds: (instant) => `CAST(epoch(${instant}) AS BIGINT)`,
  plus: (time, count, unit) => `(${time} + to_${unit}s(CAST(${count} AS INTEGER)))`,
  weekday: (local) => `isodow(${local})`,
  upTo: (last) => `range(${last} + 1)`,
  each: (from, list, name) => `SELECT *, unnest(${list}) AS ${name} FROM ${from}`,
  mapped: (list, one, to) => `list_transform(${list}, lambda ${one}: ${to})`,
  kept: (list, one, condition) => `list_filter(${list}, lambda ${one}: ${condition})`,
  distinct: (list) => `list_distinct(${list})`,
  sha256: (text) => `sha256(${text})`,
  dividedWhole: (a, b) => `${a} // ${b}`,
  quantile: (value, part) => `quantile_cont(CAST(${value} AS DOUBLE), ${part})`,
};

const LONGEST = 10_000; // elements of a `sequence` of Trino

/** Instants are UTC without a zone, as Athena reads them from Parquet files. */
export const TRINO: SqlDialect = {
  instant: 'timestamp(3)',
  texts: 'array(varchar)',
  wide: 'BIGINT',
  local: (instant, zone) => `CAST(at_timezone(with_timezone(${instant}, 'UTC'), ${zone}) AS timestamp(3))`,
  instantOf: (local, zone) => `CAST(at_timezone(with_timezone(${local}, ${zone}), 'UTC') AS timestamp(3))`,
  fromSeconds: (seconds) => `CAST(at_timezone(from_unixtime(${seconds}), 'UTC') AS timestamp(3))`, // `date_add` ends in 2038
  seconds: (instant) => `CAST(to_unixtime(${instant}) AS BIGINT)`,
  plus: (time, count, unit) => `date_add('${unit}', ${count}, ${time})`,
  weekday: (local) => `day_of_week(${local})`,
  upTo: (last) => {
    const next = `(part + 1) * ${LONGEST} - 1`;
    const parts = `sequence(0, (${last}) / ${LONGEST})`;
    return `flatten(transform(${parts}, part -> sequence(part * ${LONGEST}, least(${last}, ${next}))))`;
  },
  each: (from, list, name) =>
    `SELECT ${from}.*, each_one.${name} FROM ${from} CROSS JOIN UNNEST(${list}) AS each_one(${name})`,
  mapped: (list, one, to) => `transform(${list}, ${one} -> ${to})`,
  kept: (list, one, condition) => `filter(${list}, ${one} -> ${condition})`,
  distinct: (list) => `array_distinct(${list})`,
  sha256: (text) => `lower(to_hex(sha256(to_utf8(${text}))))`,
  dividedWhole: (a, b) => `${a} / ${b}`,
  quantile: (value, part) => {
    const way = `${part}e0 * (cardinality(s) - 1)`;
    const at = `CAST(floor(${way}) AS BIGINT) + 1`;
    const next = `least(${at} + 1, cardinality(s))`;
    // A list of one list, so that it is sorted once.
    const value_ = `s[${at}] + (s[${next}] - s[${at}]) * (${way} - floor(${way}))`;
    return `transform(ARRAY[array_sort(array_agg(CAST(${value} AS DOUBLE)))], s -> ${value_})[1]`;
  },
};
