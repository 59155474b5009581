-- Prints a Chatwoot database as records, one a line: psql -qAt -f chatwoot.sql DATABASE > chatwoot.ndjson
-- Then: npx support import chatwoot.ndjson --site NAME. Chatwoot keeps its times in UTC.
-- Of several accounts this is the first one; another: psql -v account=2 -qAt … Ids, times and source are those of a
-- connection (docs/live.md), so that each event counts once: cases by the number that people see, times as the API has them.
SET TIME ZONE 'UTC';
\if :{?account}
\else
SELECT coalesce(min(account_id), 0) AS account FROM conversations \gset
\endif

SELECT json_build_object('type', 'agent', 'id', id, 'name', name, 'updated_at', to_char(updated_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) FROM users;
SELECT json_build_object('type', 'group', 'id', id, 'name', name, 'updated_at', to_char(updated_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) FROM teams WHERE account_id = :account;
SELECT json_build_object('type', 'channel', 'id', id, 'name', name, 'updated_at', to_char(updated_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) FROM inboxes WHERE account_id = :account;
SELECT json_build_object('type', 'label', 'id', id, 'name', title, 'updated_at', to_char(updated_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) FROM labels WHERE account_id = :account;

-- Creations, with the present priority and labels: Chatwoot keeps no others. Priorities: 0 low, 1 medium, 2 high, 3 urgent.
SELECT json_strip_nulls(json_build_object(
  'source', 'chatwoot', 'type', 'case.created', 'id', 'cw:' || display_id, 'case', display_id, 'at', to_char(created_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
  'channel', inbox_id, 'priority', (ARRAY[2, 5, 8, 10])[priority + 1],
  'labels', (SELECT json_agg(l.id) FROM labels l
    WHERE l.account_id = :account AND l.title IN (SELECT trim(each) FROM unnest(string_to_array(cached_label_list, ',')) each))))
FROM conversations WHERE account_id = :account;

-- The present assignee: at the creation, and, for an export that comes again, at the last activity.
SELECT json_strip_nulls(json_build_object(
  'source', 'chatwoot', 'type', 'case.assigned', 'id', 'cw:' || display_id || ':a', 'case', display_id,
  'at', to_char(created_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'agent', assignee_id, 'group', team_id))
FROM conversations WHERE account_id = :account AND (assignee_id IS NOT NULL OR team_id IS NOT NULL);
SELECT json_build_object(
  'source', 'chatwoot', 'type', 'case.assigned', 'id', 'cw:o:' || display_id || ':' || floor(extract(epoch FROM last_activity_at)) || ':assigned', 'case', display_id,
  'at', to_char(last_activity_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'agent', assignee_id, 'group', team_id)
FROM conversations WHERE account_id = :account AND (assignee_id IS NOT NULL OR team_id IS NOT NULL);

-- Messages: 0 comes in, 1 and 3 (templates) go out; what no person sent is automated. Activities (2) say nothing here.
SELECT json_strip_nulls(json_build_object(
  'source', 'chatwoot', 'type', CASE WHEN m.private THEN 'note' ELSE 'interaction' END, 'id', 'cw:m:' || m.id, 'case', c.display_id,
  'at', to_char(m.created_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
  'direction', CASE WHEN m.private THEN NULL WHEN m.message_type = 0 THEN 'inbound' ELSE 'outbound' END,
  'agent', CASE WHEN m.message_type <> 0 AND m.sender_type = 'User' THEN m.sender_id END,
  'automated', CASE WHEN m.message_type <> 0 AND m.sender_type IS DISTINCT FROM 'User' THEN true END))
FROM messages m JOIN conversations c ON c.id = m.conversation_id AND c.account_id = :account WHERE m.message_type <> 2;

-- Solves and reopens, as the reporting events tell them.
SELECT json_strip_nulls(json_build_object(
  'source', 'chatwoot', 'type', 'case.status', 'id', 'cw:e:' || e.id, 'case', c.display_id, 'agent', e.user_id,
  'at', to_char(date_trunc('milliseconds', coalesce(e.event_end_time, e.created_at)), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'to', CASE e.name WHEN 'conversation_resolved' THEN 'resolved' ELSE 'open' END))
FROM reporting_events e JOIN conversations c ON c.id = e.conversation_id AND c.account_id = :account
WHERE e.name IN ('conversation_resolved', 'conversation_opened');

-- Ratings of 4 and 5 stars are good, of 1 and 2 bad; those between say neither.
SELECT json_build_object(
  'source', 'chatwoot', 'type', 'csat.rated', 'id', 'cw:r:' || r.id, 'case', c.display_id, 'at', to_char(r.created_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
  'score', CASE WHEN r.rating >= 4 THEN 1 ELSE 0 END)
FROM csat_survey_responses r JOIN conversations c ON c.id = r.conversation_id AND c.account_id = :account WHERE r.rating <> 3;
