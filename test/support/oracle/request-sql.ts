/** The longest time from the start of a window to a `min` within it, in seconds, including a change of clocks. */
const LOOK_BACK = `CASE size WHEN 'hour' THEN 2 * 3600 WHEN 'day' THEN 2 * 86400 WHEN 'week' THEN 9 * 86400 ELSE 33 * 86400 END`;

/** The dimension to look up a fact's members by; '' if it is of instants: a piece of time has their member. */
const ofFact = (dimension: string): string =>
  `CASE WHEN ${dimension} IN ('hour_of_day', 'weekday') THEN '' ELSE ${dimension} END`;
const memberAt = (dimension: string, other: string): string =>
  `CASE r.${dimension} WHEN 'hour_of_day' THEN w.hour_of_day WHEN 'weekday' THEN w.weekday ELSE ${other}.member END`;

/** The member that facts and open cases without one count for, where that is asked. */
export const NOBODY = 'nobody';

/** Statements after which facts and cases without a member of `dimension1` have that one. */
export const NOBODY_SQL: readonly string[] = [
  `INSERT INTO member_of SELECT f.f, r.dimension1, '${NOBODY}' FROM fact f JOIN report r USING (h)
   WHERE r.dimension1 NOT IN ('', 'hour_of_day', 'weekday')
     AND NOT EXISTS (FROM member_of m WHERE m.f = f.f AND m.dimension = r.dimension1)`,
  `INSERT INTO belongs BY NAME SELECT DISTINCT e.h, e.subject, r.dimension1 AS dimension, '${NOBODY}' AS member FROM ev e JOIN report r USING (h)
   WHERE r.dimension1 <> '' AND NOT EXISTS (FROM belongs b WHERE b.h = e.h AND b.subject = e.subject
     AND (b.dimension = r.dimension1 OR (b.dimension = 'custom_field' AND starts_with(r.dimension1, 'custom_field:')
          AND split_part(b.member, ':', 1) = split_part(r.dimension1, ':', 2))))`,
];

/**
 * Statements from the ranges of requests to windows, filtered subjects and placed facts: each fact with each cell in which it counts.
 */
export const REQUEST_SQL: readonly string[] = [
  // The local time at each quarter of an hour; no zone of today changes its offset in between.
  `CREATE OR REPLACE TEMP TABLE clock AS
   SELECT zone, shift, s, CASE WHEN zone IS NULL THEN make_timestamp((s + shift) * 1000000)
                               ELSE timezone(zone, to_timestamp(s)) END AS local
   FROM (SELECT DISTINCT zone, shift, unnest(generate_series(
           (min + shift - ${LOOK_BACK}) // 900 * 900 - shift, max + 900, 900)) AS s
         FROM report WHERE min < max
           AND (size <> 'none' OR list_has_any([dimension1, dimension2], ['hour_of_day', 'weekday'])))`,

  // A window lasts while the clock shows the same hour (and offset), day, week or month (rules 2, 23).
  `CREATE OR REPLACE TEMP TABLE time_window AS
   WITH ticked AS (
     SELECT r.h, r.min, r.max, c.s, c.local, CASE r.size
       WHEN 'hour' THEN strftime(c.local, '%Y-%m-%d %H ') || (epoch(c.local)::BIGINT - c.s)
       WHEN 'day' THEN strftime(c.local, '%Y-%m-%d')
       WHEN 'week' THEN date_trunc('week', c.local - to_days(r.week_start))::VARCHAR
       WHEN 'month' THEN strftime(c.local, '%Y-%m') END AS period
     FROM report r JOIN clock c ON c.zone IS NOT DISTINCT FROM r.zone AND c.shift = r.shift
       AND c.s >= r.min - 900 - ${LOOK_BACK} AND c.s <= r.max + 900
     WHERE r.size <> 'none' AND r.min < r.max
   ), begun AS (
     SELECT *, coalesce(lead(s) OVER (PARTITION BY h ORDER BY s), max) AS next
     FROM (FROM ticked QUALIFY period <> lag(period) OVER (PARTITION BY h ORDER BY s))
   )
   SELECT h, row_number() OVER (PARTITION BY h ORDER BY s) AS w, strftime(local, '%Y-%m-%d %H:%M:%S') AS label,
          greatest(s, min) AS t, least(next, max) AS u, s AS begins
   FROM begun WHERE next > min AND s < max
   UNION ALL
   SELECT h, 1, NULL, min, max, min FROM report WHERE size = 'none'`,

  `CREATE OR REPLACE TEMP TABLE passing AS SELECT h, subject FROM lets_through WHERE pol = 0`,

  // Reports in which time online is null, because a dimension or a filter is of cases.
  `CREATE OR REPLACE TEMP TABLE of_cases AS
   SELECT h FROM report WHERE list_has_any([dimension1, dimension2], ['channel', 'label', 'macro', 'custom_field', 'priority', 'company', 'csat_score', 'status'])
      OR contains(dimension1 || dimension2, ':')
   UNION
   SELECT h FROM condition WHERE pol = 0 AND dimension NOT IN ('assigned_agent', 'assigned_group')`,

  // Windows cut into pieces at each change of the clock's hour, for dimensions of instants.
  `CREATE OR REPLACE TEMP TABLE piece AS
   WITH ticked AS (
     SELECT r.h, c.s, c.local, strftime(c.local, '%Y-%m-%d %H ') || (epoch(c.local)::BIGINT - c.s) AS period
     FROM report r JOIN clock c ON c.zone IS NOT DISTINCT FROM r.zone AND c.shift = r.shift
       AND c.s >= r.min - 8000 AND c.s <= r.max + 900
     WHERE list_has_any([r.dimension1, r.dimension2], ['hour_of_day', 'weekday'])
   ), begun AS (
     SELECT *, coalesce(lead(s) OVER (PARTITION BY h ORDER BY s), 9000000000) AS next
     FROM (FROM ticked QUALIFY period IS DISTINCT FROM lag(period) OVER (PARTITION BY h ORDER BY s))
   )
   SELECT w.h, w.w, greatest(w.t, b.s) AS t, least(w.u, b.next) AS u,
          hour(b.local)::VARCHAR AS hour_of_day, isodow(b.local)::VARCHAR AS weekday
   FROM time_window w JOIN begun b ON b.h = w.h AND greatest(w.t, b.s) < least(w.u, b.next)
   UNION ALL
   SELECT w.h, w.w, w.t, w.u, NULL, NULL FROM time_window w JOIN report r USING (h)
   WHERE NOT list_has_any([r.dimension1, r.dimension2], ['hour_of_day', 'weekday'])`,

  `CREATE OR REPLACE TEMP TABLE placed AS
   WITH asked AS (SELECT *, ${ofFact('dimension1')} AS of1, ${ofFact('dimension2')} AS of2 FROM report),
   met AS (
   SELECT f.*, w.w, ${memberAt('dimension1', 'a')} AS m1, ${memberAt('dimension2', 'b')} AS m2,
          r.values1, r.values2, least(f.u, w.u) - greatest(f.t, w.t) AS part
   FROM asked r
   JOIN fact f ON f.h = r.h
   JOIN passing p ON p.h = f.h AND p.subject = f.subject
   JOIN piece w ON w.h = f.h AND greatest(f.t, w.t) < least(f.u, w.u)
   JOIN member_of a ON a.f = f.f AND a.dimension = r.of1
   JOIN member_of b ON b.f = f.f AND b.dimension = r.of2
   WHERE NOT (f.kind = 'online' AND r.h IN (FROM of_cases)))
   SELECT * EXCLUDE (values1, values2) FROM met
   WHERE (m1 = '' OR values1 IS NULL OR list_contains(values1, m1))
     AND (m2 = '' OR values2 IS NULL OR list_contains(values2, m2))`,

  `CREATE OR REPLACE TEMP TABLE last_rated AS
   FROM placed WHERE kind = 'rated'
   QUALIFY row_number() OVER (PARTITION BY h, w, m1, m2, subject ORDER BY n DESC) = 1`,

  // The backlog: the cases that are open at the earliest of a window's end, max and now, with their members as they are
  // now.
  `CREATE OR REPLACE TEMP TABLE placed_open AS
   WITH instant AS (
     SELECT w.h, w.w, least(w.u, r.now) AS at FROM time_window w JOIN report r USING (h) WHERE w.begins <= r.now
   ), known AS (
     SELECT h, subject, coalesce(min(t) FILTER (type = 'case.created'), min(t)) AS since FROM ev GROUP BY ALL
   ), open AS (
     SELECT i.h, i.w, k.subject FROM instant i JOIN known k ON k.h = i.h AND k.since < i.at
     LEFT JOIN ev e ON e.h = i.h AND e.subject = k.subject AND e.t < i.at AND e.type IN ('case.created', 'case.status', 'case.deleted')
     GROUP BY ALL
     HAVING coalesce(arg_max(e.type <> 'case.deleted' AND coalesce(e.status, 'new') NOT IN ('resolved', 'closed'), e.n), true)
   ), member AS (
     SELECT h, subject, dimension, member FROM belongs
     UNION ALL
     SELECT h, subject, 'custom_field:' || split_part(member, ':', 1), member FROM belongs WHERE dimension = 'custom_field'
     UNION ALL
     SELECT DISTINCT h, subject, '', '' FROM ev
   )
   SELECT o.h, o.w, o.subject, a.member AS m1, b.member AS m2
   FROM open o JOIN report r USING (h) JOIN passing p USING (h, subject)
   JOIN member a ON a.h = o.h AND a.subject = o.subject AND a.dimension = r.dimension1
   JOIN member b ON b.h = o.h AND b.subject = o.subject AND b.dimension = r.dimension2
   WHERE (a.member = '' OR r.values1 IS NULL OR list_contains(r.values1, a.member))
     AND (b.member = '' OR r.values2 IS NULL OR list_contains(r.values2, b.member))`,

  // Of several resolves of a case in one cell the last decides (rule 14).
  `CREATE OR REPLACE TEMP TABLE last_placed AS
   FROM placed WHERE kind = 'resolved'
   QUALIFY row_number() OVER (PARTITION BY h, w, m1, m2, subject ORDER BY n DESC) = 1`,
];
