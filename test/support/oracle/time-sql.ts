/** The local time of the report's zone at an instant: `zone` is a name, or null with a fixed offset `shift`. */
const clockAt = (second: string): string =>
  `CASE WHEN zone IS NULL THEN make_timestamp((${second} + shift) * 1000000) ELSE timezone(zone, to_timestamp(${second})) END`;

const HOURS = Array.from({ length: 13 }, (_, quarters) => quarters * 900); // no zone moves its clock by more than 3 h

/** The first instant at which the zone's clock shows a local time; one that is skipped moves on by what was skipped. */
const instantOf = (local: string): string =>
  `CASE WHEN zone IS NULL THEN epoch(${local})::BIGINT - shift ELSE coalesce(
     list_max([CASE WHEN timezone(zone, timezone(zone, ${local}) - to_seconds(x)) = ${local} THEN x END FOR x IN ${JSON.stringify(HOURS)}]),
     0) * -1 + epoch(timezone(zone, ${local}))::BIGINT END`;

/** The start of the unit of a local time; weeks begin on the site's day. */
const unitStart = (unit: string, local: string): string =>
  `CASE ${unit} WHEN 'hour' THEN date_trunc('hour', ${local}) WHEN 'day' THEN date_trunc('day', ${local})
     WHEN 'week' THEN date_trunc('week', ${local} - to_days(week_start)) + to_days(week_start)
     WHEN 'quarter' THEN date_trunc('quarter', ${local}) WHEN 'year' THEN date_trunc('year', ${local})
     ELSE date_trunc('month', ${local}) END`;

const unitLength = (unit: string): string =>
  `CASE ${unit} WHEN 'hour' THEN 3600 WHEN 'day' THEN 86400 WHEN 'week' THEN 7 * 86400 END`;

/** The months of a unit; null of one that is none of months. */
const UNIT_MONTHS = `CASE unit WHEN 'month' THEN 1 WHEN 'quarter' THEN 3 WHEN 'year' THEN 12 END`;

/** A local time some months earlier: a day that the month lacks is the month's last, or of a relative time its end. */
const monthsBack = (local: string, months: string): string =>
  `CASE WHEN last IS NOT NULL AND day(${local} - to_months(${months})) < day(${local})
     THEN date_trunc('month', ${local} - to_months(${months})) + INTERVAL 1 MONTH
     ELSE ${local} - to_months(${months}) END`;

/** A local time moved back: by a year, by a relative time's units, or by as many units as the windows span. */
const back = (local: string): string => `CASE
  WHEN compare = 'previous_year' THEN ${monthsBack(local, '12')}
  WHEN ${UNIT_MONTHS} IS NOT NULL THEN ${monthsBack(local, `(last * ${UNIT_MONTHS})`)}
  WHEN last IS NOT NULL THEN ${local} - to_seconds(last * ${unitLength('unit')})
  WHEN min = max THEN ${local}
  WHEN size = 'none' THEN ${local} - (local_max - local_min)
  WHEN size = 'month' THEN ${monthsBack(local, "greatest(1, date_diff('month', local_min, local_last) + 1)::INTEGER")}
  ELSE ${local} - to_seconds(${unitLength('size')} * greatest(1,
         epoch(${unitStart('size', 'local_last')} - ${unitStart('size', 'local_min')})::BIGINT // ${unitLength('size')} + 1))
  END`;

/** Statements from requests to the range that is counted, in the zone of the windows. */
export const TIME_SQL: readonly string[] = [
  // The zone of the windows (rule 2): a name, or null with a fixed offset. A relative time has the zone named or the site's.
  `CREATE OR REPLACE TEMP TABLE in_zone AS
   SELECT * EXCLUDE (zone, sent_offset), CASE WHEN zone IS NULL THEN sent_offset ELSE 0 END AS shift, zone
   FROM (SELECT * REPLACE (CASE
           WHEN zone IS NOT NULL THEN zone
           WHEN last IS NOT NULL OR epoch(timezone(site_zone, to_timestamp(min)))::BIGINT - min = sent_offset
             THEN site_zone END AS zone)
         FROM request)`,

  // A relative time: the last whole units before the current one, or up to its end.
  `CREATE OR REPLACE TEMP TABLE ranged AS
   WITH ending AS (
     SELECT *, ${unitStart('unit', 'local_now')} + CASE WHEN NOT including THEN INTERVAL 0 DAY
       WHEN ${UNIT_MONTHS} IS NOT NULL THEN to_months(${UNIT_MONTHS}) ELSE to_seconds(${unitLength('unit')}) END AS ends
     FROM (SELECT *, ${clockAt('now')} AS local_now FROM in_zone)
   ), beginning AS (
     SELECT *, CASE WHEN ${UNIT_MONTHS} IS NOT NULL THEN ends - to_months(last * ${UNIT_MONTHS}) ELSE ends - to_seconds(last * ${unitLength('unit')}) END AS begins
     FROM ending
   )
   SELECT * EXCLUDE (begins, ends) REPLACE (
     CASE WHEN last IS NULL THEN min ELSE ${instantOf('begins')} END AS min,
     CASE WHEN last IS NULL THEN max ELSE ${instantOf('ends')} END AS max)
   FROM beginning`,

  // The range to compare with: both ends move back. One that is still running ends at the same moment: as much before its
  // own end as now is before the end of the range, or of a relative time at now, moved back. A range that the request
  // names is as it is.
  `CREATE OR REPLACE TEMP TABLE report AS
   WITH local AS (
     SELECT *, ${clockAt('min')} AS local_min, ${clockAt('max')} AS local_max, ${clockAt('max - 1')} AS local_last FROM ranged
   ), moved AS (
     SELECT *, ${back('local_min')} AS back_min, ${back('local_max')} AS back_max, ${back('local_now')} AS back_now FROM local
   ), instants AS (
     SELECT *, ${instantOf('back_min')} AS to_min, ${instantOf('back_max')} AS to_max, ${instantOf('back_now')} AS to_now FROM moved
   ), ends AS (
     SELECT *, ${clockAt('to_max')} - (local_max - local_now) AS to_reached FROM instants
   ), cut AS (
     SELECT *, CASE WHEN max <= now THEN to_max WHEN last IS NOT NULL THEN least(to_max, to_now)
       ELSE least(to_max, ${instantOf('to_reached')}) END AS to_cut FROM ends
   )
   SELECT h, site_zone, week_start, dimension1, dimension2, now, yes_no, business, values1, values2, size, zone, shift,
     CASE WHEN named_min IS NOT NULL THEN named_min WHEN compare IS NULL THEN min ELSE to_min END AS min,
     CASE WHEN named_max IS NOT NULL THEN named_max WHEN compare IS NULL THEN max ELSE greatest(to_min, to_cut) END AS max
   FROM cut`,
];
