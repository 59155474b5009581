/** Statements from cases and their history to kept and broken promises (docs/rules.md 30). */
export const PROMISE_SQL: readonly string[] = [
  // The subjects that pass the filters of a policy; policy 0 is the report itself. A condition holds for a subject that
  // has a member with one of the ids or with the text (docs/insights.md, Filters).
  `CREATE OR REPLACE TEMP TABLE lets_through AS
   WITH subject AS (SELECT h, subject FROM ev UNION SELECT h, subject FROM online),
   judged AS (
     SELECT s.h, s.subject, c.pol, c.g, c.include = EXISTS (
       FROM belongs b WHERE b.h = s.h AND b.subject = s.subject AND b.dimension = c.dimension AND (
         list_contains(c.ids, b.member)
         OR (c.text <> '' AND c.contains
             AND CASE WHEN c.exact THEN contains(b.name, c.text) ELSE contains(lower(b.name), lower(c.text)) END)
         OR (c.text <> '' AND NOT c.contains AND len(c.ids) = 0
             AND CASE WHEN c.exact THEN b.name = c.text ELSE lower(b.name) = lower(c.text) END))) AS holds
     FROM subject s JOIN condition c USING (h)
   ), grouped AS (
     SELECT s.h, s.subject, g.pol, g.g, coalesce(bool_and(j.holds), true) AS holds
     FROM subject s JOIN filter_group g USING (h) LEFT JOIN judged j USING (h, subject, pol, g) GROUP BY ALL
   ), asked AS (SELECT h, 0 AS pol FROM request UNION ALL SELECT h, pol FROM sla_policy)
   SELECT s.h, a.pol, s.subject FROM subject s JOIN asked a USING (h) LEFT JOIN grouped USING (h, pol, subject)
   GROUP BY ALL HAVING coalesce(bool_or(holds), true)`,

  // Working time in quarters of an hour: the clock of the calendar at the start of a quarter decides.
  `CREATE OR REPLACE TEMP TABLE worked AS
   WITH extent AS (
     SELECT h, min(t) // 900 AS low, CASE WHEN h IN (SELECT h FROM sla_target WHERE business)
              THEN greatest(max(t), min(least(r.now, r.max))) ELSE max(t) END // 900 AS high
     FROM ev JOIN request r USING (h) GROUP BY h
   ), quarter AS (
     SELECT c.h, c.cal, q, timezone(c.zone, to_timestamp(q * 900)) AS local
     FROM calendar c JOIN (SELECT h, unnest(generate_series(low, high)) AS q FROM extent) USING (h)
     WHERE c.h IN (SELECT h FROM request WHERE business UNION SELECT h FROM sla_target WHERE business)
   ), works AS (
     SELECT h, cal, q, EXISTS (
         FROM calendar_period p WHERE p.h = quarter.h AND p.cal = quarter.cal AND p.weekday = isodow(local)
           AND p.begins <= hour(local) * 60 + minute(local) AND hour(local) * 60 + minute(local) < p.ends)
       AND NOT EXISTS (
         FROM calendar_holiday d WHERE d.h = quarter.h AND d.cal = quarter.cal
           AND strftime(local, '%Y-%m-%d') BETWEEN d.first AND d.last) AS works
     FROM quarter
   )
   SELECT h, cal, q, works,
          sum(CASE WHEN works THEN 900 ELSE 0 END) OVER (PARTITION BY h, cal ORDER BY q) - CASE WHEN works THEN 900 ELSE 0 END AS before
   FROM works`,

  // The calendar of a case: that of its group now, else a default one, else any; of several the one with the smallest
  // id.
  `CREATE OR REPLACE TEMP TABLE clock_of AS
   SELECT s.h, s.subject, coalesce(
     (SELECT min(c.cal) FROM calendar c JOIN belongs b ON b.h = c.h AND list_contains(c.groups, b.member)
      WHERE b.h = s.h AND b.subject = s.subject AND b.dimension = 'assigned_group'),
     (SELECT min(cal) FROM calendar c WHERE c.h = s.h AND is_default),
     (SELECT min(cal) FROM calendar c WHERE c.h = s.h)) AS cal
   FROM (SELECT DISTINCT h, subject FROM ev) s`,

  // The promise to a case for a metric: the first target for its priority in the first policy that it passes.
  `CREATE OR REPLACE TEMP TABLE promise AS
   WITH chosen AS (
     SELECT l.h, l.subject, l.pol FROM lets_through l JOIN sla_policy p USING (h, pol)
     QUALIFY row_number() OVER (PARTITION BY l.h, l.subject ORDER BY p.position NULLS LAST, p.pol) = 1
   )
   SELECT c.h, c.subject, t.metric, t.seconds, t.business
   FROM chosen c JOIN sla_target t USING (h, pol)
   LEFT JOIN belongs b ON b.h = c.h AND b.subject = c.subject AND b.dimension = 'priority'
   WHERE t.priorities IS NULL OR list_contains(t.priorities, b.member)
   QUALIFY row_number() OVER (PARTITION BY c.h, c.subject, t.metric ORDER BY t.k) = 1`,

  // The clocks of every case: event b starts one, event e ends it.
  `CREATE OR REPLACE TEMP TABLE running AS
   SELECT c.h, c.subject, 'first_response' AS metric, c.n AS b, (
     SELECT min(i.n) FROM interaction i WHERE i.h = c.h AND i.subject = c.subject AND i.direction = 'outbound') AS e
   FROM creation c WHERE opening = 'inbound'
   UNION ALL
   SELECT c.h, c.subject, 'resolution', c.n, (
     SELECT min(d.n) FROM turn d WHERE d.h = c.h AND d.subject = c.subject AND d.done)
   FROM creation c
   UNION ALL
   SELECT h, subject, 'reply', min(n), e FROM (
     SELECT i.h, i.subject, i.n, (
       SELECT min(o.n) FROM interaction o
       WHERE o.h = i.h AND o.subject = i.subject AND o.direction = 'outbound' AND o.n > i.n) AS e
     FROM interaction i WHERE i.direction = 'inbound' AND NOT i.automated)
   GROUP BY h, subject, e`,

  // The stop of a clock before its end: a deletion stops every clock, a resolve those that wait for a reply, except in
  // the very second of the reply. A case that was created done has a resolve of which nobody knows the time: the clock
  // of its resolution stops at once, and so does one that began before the first reopen and had no reply by then.
  `CREATE OR REPLACE TEMP TABLE stopped AS
   SELECT r.*, c.t AS begins, x.t AS ends, x.agent, x.grp, CASE
     WHEN o.status IN ('resolved', 'closed') AND (r.metric = 'resolution' OR (
       r.b < coalesce(d.n, 1000000000) AND coalesce(r.e, 1000000000) >= coalesce(d.n, 1000000000))) THEN c.t
     ELSE (SELECT min(s.t) FROM (SELECT h, subject, n, t, 'resolve' AS what FROM turn WHERE done
                           UNION ALL SELECT h, subject, n, t, 'deletion' FROM ev WHERE type = 'case.deleted') s
     WHERE s.h = r.h AND s.subject = r.subject AND s.n > r.b AND s.n < coalesce(r.e, 1000000000)
       AND (s.what = 'deletion' OR (r.metric <> 'resolution' AND s.t IS DISTINCT FROM x.t))) END AS stops
   FROM running r
   LEFT JOIN ev o ON o.h = r.h AND o.subject = r.subject AND o.type = 'case.created'
   LEFT JOIN (SELECT h, subject, min(n) AS n FROM turn GROUP BY ALL) d ON d.h = r.h AND d.subject = r.subject
   JOIN ev c ON c.h = r.h AND c.subject = r.subject AND c.n = r.b
   LEFT JOIN ev x ON x.h = r.h AND x.subject = r.subject AND x.n = r.e`,

  // The seconds on the clock of a promise at its begin, end and stop: all seconds, or the worked ones.
  `CREATE OR REPLACE TEMP TABLE elapsing AS
   SELECT s.*, p.seconds, p.business, k.cal,
          CASE WHEN business THEN w.before + CASE WHEN w.works THEN s.begins % 900 ELSE 0 END ELSE s.begins END AS from_begin,
          CASE WHEN business THEN v.before + CASE WHEN v.works THEN s.ends % 900 ELSE 0 END ELSE s.ends END AS to_end,
          CASE WHEN business THEN u.before + CASE WHEN u.works THEN s.stops % 900 ELSE 0 END ELSE s.stops END AS to_stop
   FROM stopped s JOIN promise p USING (h, subject, metric)
   LEFT JOIN clock_of k ON k.h = s.h AND k.subject = s.subject
   LEFT JOIN worked w ON w.h = k.h AND w.cal = k.cal AND w.q = s.begins // 900
   LEFT JOIN worked v ON v.h = k.h AND v.cal = k.cal AND v.q = s.ends // 900
   LEFT JOIN worked u ON u.h = k.h AND u.cal = k.cal AND u.q = s.stops // 900`,

  // A promise is void if its clock stops in time, met if it ends in time, else missed at the first second too late,
  // once past.
  `CREATE OR REPLACE TEMP TABLE verdict AS
   SELECT * EXCLUDE (verdict), CASE WHEN verdict = 'missed' AND (late IS NULL OR late >= now) THEN 'open' ELSE verdict END AS verdict
   FROM (
     SELECT a.*, r.now,
            CASE WHEN greatest(0, a.to_stop - a.from_begin) <= a.seconds AND a.stops IS NOT NULL THEN 'void'
                 WHEN greatest(0, a.to_end - a.from_begin) <= a.seconds AND a.ends IS NOT NULL THEN 'met' ELSE 'missed' END AS verdict,
            CASE WHEN a.business THEN (
              SELECT min(w.q * 900 + a.from_begin + a.seconds + 1 - w.before) FROM worked w
              WHERE w.h = a.h AND w.cal = a.cal AND w.works
                AND a.from_begin + a.seconds + 1 BETWEEN w.before + 1 AND w.before + 900)
            ELSE a.begins + a.seconds + 1 END AS late
     FROM elapsing a JOIN request r USING (h))`,
];
