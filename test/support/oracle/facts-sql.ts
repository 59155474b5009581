/** The seconds after a resolve in which replies and reopens count against it, exclusive (docs/rules.md 15). */
const AFTER = 14 * 86_400;

/** Statements from history to facts: a row for each thing that a field counts, with its actor, time and members. */
export const FACT_SQL: readonly string[] = [
  // Resolves with the events around them, by any actor and at any time (rules 13-15).
  `CREATE OR REPLACE TEMP TABLE resolve AS
   SELECT r.h, r.subject, r.n, r.t, r.agent, r.grp,
          (SELECT greatest(0, r.t - c.t) FROM creation c WHERE c.h = r.h AND c.subject = r.subject) AS seconds,
          (SELECT count(*) FROM interaction i
           WHERE i.h = r.h AND i.subject = r.subject AND i.direction = 'outbound' AND i.t <= r.t) AS replies,
          NOT EXISTS (FROM interaction i
           WHERE i.h = r.h AND i.subject = r.subject AND i.t > r.t AND i.t < r.t + ${AFTER})
          AND NOT EXISTS (FROM turn b
           WHERE b.h = r.h AND b.subject = r.subject AND NOT b.done AND b.n > r.n AND b.t < r.t + ${AFTER}) AS final,
          EXISTS (FROM turn b
           WHERE b.h = r.h AND b.subject = r.subject AND NOT b.done AND b.n > r.n AND b.t < r.t + ${AFTER}) AS taken_back
   FROM turn r WHERE r.done`,

  // Facts. A fact covers the seconds [t, u); `own` is the member that the fact itself names (rules 11, 17).
  `CREATE OR REPLACE TEMP TABLE fact AS
   SELECT row_number() OVER () AS f, * FROM (
     SELECT h, 'created' AS kind, subject, n, t, t + 1 AS u, agent, grp, opening AS tag,
            NULL AS seconds, NULL AS replies, NULL AS final, NULL AS own, false AS taken_back FROM creation
     UNION ALL
     SELECT h, 'deleted', subject, n, t, t + 1, agent, grp, NULL, NULL, NULL, NULL, NULL, false FROM ev WHERE type = 'case.deleted'
     UNION ALL
     SELECT h, 'viewed', subject, n, t, t + 1, agent, grp, NULL, NULL, NULL, NULL, NULL, false FROM counted_view
     UNION ALL
     SELECT h, 'interaction', subject, n, t, t + 1, agent, grp, direction, NULL, NULL, NULL, NULL, false FROM interaction
     UNION ALL
     SELECT i.h, 'first_reply', i.subject, i.n, i.t, i.t + 1, i.agent, i.grp, NULL, greatest(0, i.t - c.t), NULL, NULL, NULL, false
     FROM interaction i JOIN creation c USING (h, subject)
     WHERE i.direction = 'outbound' AND c.opening = 'inbound'
     QUALIFY row_number() OVER (PARTITION BY i.h, i.subject ORDER BY i.n) = 1
     UNION ALL
     SELECT h, 'answered', subject, n, t, t + 1, agent, grp, NULL, t - began, NULL, NULL, NULL, false FROM answered
     UNION ALL
     SELECT h, 'rated', subject, n, t, t + 1, agent, grp, NULL, score, NULL, NULL, NULL, false FROM ev WHERE score IS NOT NULL
     UNION ALL
     SELECT h, 'handled', subject, n, begins // 1000000, ends // 1000000, agent, grp, NULL, NULL, NULL, NULL, NULL, false
     FROM ev WHERE type = 'case.handled'
     UNION ALL
     SELECT h, 'resolved', subject, n, t, t + 1, agent, grp, NULL, seconds, replies, final, NULL, taken_back FROM resolve
     UNION ALL
     SELECT h, 'resolved_with_macro', subject, n, t, t + 1, agent, grp, NULL, NULL, NULL, NULL, NULL, false FROM resolve r
     WHERE EXISTS (FROM ev m WHERE m.h = r.h AND m.subject = r.subject AND m.type = 'macro.applied' AND m.t <= r.t)
     UNION ALL
     SELECT h, 'reopened', subject, n, t, t + 1, agent, grp, NULL, NULL, NULL, NULL, NULL, false FROM turn WHERE NOT done
     UNION ALL
     SELECT h, 'macro', subject, n, t, t + 1, agent, grp, NULL, NULL, NULL, NULL, macro, false FROM ev WHERE type = 'macro.applied'
     UNION ALL
     SELECT h, 'label', subject, n, t, t + 1, agent, grp, NULL, NULL, NULL, NULL, label, false FROM labelling WHERE applied
     UNION ALL
     SELECT h, 'sla_' || metric || '_met', subject, e, ends, ends + 1, agent, grp, NULL, NULL, NULL, NULL, NULL, false
     FROM verdict WHERE verdict = 'met'
     UNION ALL
     SELECT h, 'sla_' || metric || '_missed', subject, NULL, late, late + 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false
     FROM verdict WHERE verdict = 'missed'
     UNION ALL
     SELECT h, 'online', subject, 0, t, u, agent, NULL, NULL, NULL, NULL, NULL, NULL, false FROM online)`,

  `CREATE OR REPLACE TEMP TABLE began AS
   SELECT h, subject, n, kind, began FROM (
     SELECT r.h, r.subject, r.n, 'resolved' AS kind, c.t AS began FROM resolve r JOIN creation c USING (h, subject)
     UNION ALL
     SELECT f.h, f.subject, f.n, 'first_reply', c.t FROM fact f JOIN creation c USING (h, subject) WHERE f.kind = 'first_reply'
     UNION ALL
     SELECT h, subject, n, 'answered', began FROM answered)`,

  // Durations in working time, if the request asks for it.
  `CREATE OR REPLACE TEMP TABLE fact AS
   SELECT f.* REPLACE (CASE WHEN w.q IS NULL THEN f.seconds ELSE greatest(0, w.before + CASE WHEN w.works THEN f.t % 900 ELSE 0 END
                                          - v.before - CASE WHEN v.works THEN b.began % 900 ELSE 0 END) END AS seconds)
   FROM fact f LEFT JOIN began b USING (h, subject, n, kind)
   LEFT JOIN clock_of k ON k.h = b.h AND k.subject = b.subject AND k.h IN (SELECT h FROM request WHERE business)
   LEFT JOIN worked w ON w.h = k.h AND w.cal = k.cal AND w.q = f.t // 900
   LEFT JOIN worked v ON v.h = k.h AND v.cal = k.cal AND v.q = b.began // 900`,

  // The members that a fact counts for, by dimension. Without a dimension the only member is ''.
  `CREATE OR REPLACE TEMP TABLE member_of AS
   SELECT f, '' AS dimension, '' AS member FROM fact
   UNION ALL
   SELECT f, 'action_agent', agent::VARCHAR FROM fact WHERE agent IS NOT NULL
   UNION ALL
   SELECT f, 'action_group', grp::VARCHAR FROM fact WHERE grp IS NOT NULL
   UNION ALL
   SELECT f.f, 'action_group', g.grp::VARCHAR FROM fact f JOIN agent_group g USING (h, agent) WHERE f.kind = 'online'
   UNION ALL
   SELECT f, kind, own::VARCHAR FROM fact WHERE own IS NOT NULL
   UNION ALL
   SELECT DISTINCT f.f, 'macro', m.macro::VARCHAR FROM fact f JOIN ev m USING (h, subject)
   WHERE f.kind = 'resolved_with_macro' AND m.type = 'macro.applied' AND m.t <= f.t
   UNION ALL
   SELECT f.f, b.dimension, b.member FROM fact f JOIN belongs b USING (h, subject)
   WHERE b.dimension <> f.kind AND NOT (b.dimension = 'macro' AND f.kind = 'resolved_with_macro')
   UNION ALL
   SELECT f.f, 'custom_field:' || split_part(b.member, ':', 1), b.member FROM fact f JOIN belongs b USING (h, subject)
   WHERE b.dimension = 'custom_field'`,
];
