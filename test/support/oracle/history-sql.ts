/** Statements from raw events to the history and the present state of cases. Rules are those of docs/rules.md. */
export const HISTORY_SQL: readonly string[] = [
  // The records that count (docs/design/versions.md): of each source those with its largest as_of, of equal ids the
  // smallest source.
  `CREATE OR REPLACE TEMP TABLE counted AS
   SELECT * FROM (
     SELECT * FROM event
     QUALIFY rank() OVER (PARTITION BY h, subject, source
       ORDER BY coalesce(as0, -1) DESC, coalesce(as1, -1) DESC, coalesce(as2, -1) DESC) = 1)
   WHERE type NOT IN ('case.version', 'agent.version')
   QUALIFY row_number() OVER (PARTITION BY h, subject, id ORDER BY coalesce(source, ''), seq) = 1`,

  // The events of a case, without repeats, in order; only the first creation counts (rule 20).
  `CREATE OR REPLACE TEMP TABLE ev AS
   SELECT * FROM (
     SELECT *, micros // 1000000 AS t,
            row_number() OVER (PARTITION BY h, subject ORDER BY type <> 'case.created', micros, id) AS n
     FROM counted WHERE type <> 'agent.session')
   WHERE type <> 'case.created' OR n = 1`,

  // Messages that the customer sees; an automated outbound message is no interaction (rule 7).
  `CREATE OR REPLACE TEMP TABLE interaction AS
   SELECT h, subject, n, t, agent, grp, direction, automated FROM ev
   WHERE type = 'interaction' AND NOT (automated AND direction = 'outbound')`,

  `CREATE OR REPLACE TEMP TABLE creation AS
   SELECT e.h, e.subject, e.n, e.t, e.agent, e.grp, (
     SELECT arg_min(i.direction, i.n) FROM interaction i WHERE i.h = e.h AND i.subject = e.subject
   ) AS opening
   FROM ev e WHERE type = 'case.created'`,

  // Resolves and reopens: changes between done and not done (rule 8).
  `CREATE OR REPLACE TEMP TABLE turn AS
   SELECT h, subject, n, t, agent, grp, done FROM (
     SELECT *, coalesce(lag(done) OVER (PARTITION BY h, subject ORDER BY n), false) AS was_done
     FROM (SELECT *, coalesce(status, 'new') IN ('resolved', 'closed') AS done
           FROM ev WHERE type IN ('case.created', 'case.status')))
   WHERE done <> was_done AND type = 'case.status'`,

  // Each mention of a label in an event: the case has it afterwards or not. Removals come first (rule 17).
  `CREATE OR REPLACE TEMP TABLE labelling AS
   WITH mention AS (SELECT * FROM ev WHERE labels IS NOT NULL OR added IS NOT NULL OR removed IS NOT NULL),
        known AS (
          SELECT DISTINCT h, subject, unnest(
            list_concat(coalesce(labels, []), coalesce(added, []), coalesce(removed, []))) AS label
          FROM mention)
   SELECT *, has AND NOT coalesce(lag(has) OVER (PARTITION BY h, subject, label ORDER BY n), false) AS applied
   FROM (
     SELECT h, subject, n, t, agent, grp, label,
            CASE WHEN labels IS NOT NULL THEN list_contains(labels, label)
                 WHEN list_contains(added, label) THEN true
                 WHEN list_contains(removed, label) THEN false END AS has
     FROM mention JOIN known USING (h, subject))
   WHERE has IS NOT NULL`,

  // Replies that end a wait (rule 28). It began with the first message since the reply before; automated messages begin
  // none.
  `CREATE OR REPLACE TEMP TABLE answered AS
   SELECT * FROM (
     SELECT o.*, (
       SELECT arg_min(i.t, i.n) FROM interaction i
       WHERE i.h = o.h AND i.subject = o.subject AND i.direction = 'inbound' AND NOT i.automated
         AND i.n < o.n AND i.n > coalesce(o.before, 0)) AS began
     FROM (SELECT *, lag(n) OVER (PARTITION BY h, subject ORDER BY n) AS before
           FROM interaction WHERE direction = 'outbound') o)
   WHERE began IS NOT NULL`,

  // Views that count: 60 s after the last one that counted, by case and agent (rule 19).
  `CREATE OR REPLACE TEMP TABLE counted_view AS
   WITH RECURSIVE seen AS (
     SELECT h, subject, agent, n, t, grp FROM ev WHERE type = 'case.viewed' AND agent IS NOT NULL
   ), counted AS (
     SELECT h, subject, agent, min(n) AS n, arg_min(t, n) AS t FROM seen GROUP BY ALL
     UNION ALL
     SELECT s.h, s.subject, s.agent, min(s.n), arg_min(s.t, s.n)
     FROM counted c JOIN seen s ON s.h = c.h AND s.subject = c.subject AND s.agent = c.agent
     WHERE s.n > c.n AND s.t >= c.t + 60 GROUP BY s.h, s.subject, s.agent
   )
   SELECT seen.* FROM seen JOIN counted USING (h, subject, agent, n)`,

  // The union of an agent's sessions, each [from, to) in whole seconds.
  `CREATE OR REPLACE TEMP TABLE online AS
   SELECT h, subject, agent, min(t) AS t, max(u) AS u FROM (
     SELECT *, sum(fresh) OVER (PARTITION BY h, subject ORDER BY t, u ROWS UNBOUNDED PRECEDING) AS island FROM (
       SELECT *, CASE WHEN t <= max(u) OVER (
                   PARTITION BY h, subject ORDER BY t, u ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
                 THEN 0 ELSE 1 END AS fresh
       FROM (SELECT h, subject, agent, begins // 1000000 AS t, ends // 1000000 AS u
             FROM counted WHERE type = 'agent.session' AND ends // 1000000 > begins // 1000000)))
   GROUP BY h, subject, agent, island`,

  // The members of a case now, after its last event (rules 9, 21); for an agent's sessions, the agent and its groups.
  `CREATE OR REPLACE TEMP TABLE belongs AS
   WITH latest AS (
     SELECT h, subject, s.attribute, arg_max({v: s.value}, n).v AS value
     FROM (SELECT h, subject, n, unnest(sets) AS s FROM ev) GROUP BY h, subject, s.attribute
   ), held AS (
     SELECT h, subject, attribute AS dimension, value AS member, NULL AS own_name FROM latest
     WHERE value IS NOT NULL AND NOT starts_with(attribute, 'custom_field:')
     UNION ALL
     SELECT l.h, l.subject, 'custom_field',
            CASE WHEN f.listed THEN f.field || ':' || sha256(l.value)[1:16] ELSE split_part(l.attribute, ':', 2) END,
            CASE WHEN f.listed THEN l.value ELSE f.name END
     FROM latest l LEFT JOIN custom_field f ON f.h = l.h AND l.attribute = 'custom_field:' || f.field
     WHERE l.value IS NOT NULL AND starts_with(l.attribute, 'custom_field:')
     UNION ALL
     SELECT h, subject, 'status', 'new', NULL FROM ev GROUP BY ALL HAVING NOT bool_or(status IS NOT NULL)
     UNION ALL
     SELECT h, subject, 'label', label::VARCHAR, NULL FROM labelling GROUP BY ALL HAVING arg_max(has, n)
     UNION ALL
     SELECT DISTINCT h, subject, 'macro', macro::VARCHAR, NULL FROM ev WHERE type = 'macro.applied'
     UNION ALL
     SELECT DISTINCT h, subject, 'assigned_agent', agent::VARCHAR, NULL FROM online
     UNION ALL
     SELECT DISTINCT o.h, o.subject, 'assigned_group', g.grp::VARCHAR, NULL FROM online o JOIN agent_group g USING (h, agent)
   )
   SELECT h, subject, dimension, member, coalesce(own_name, n.name, member) AS name
   FROM held LEFT JOIN named n USING (h, dimension, member)`,
];
