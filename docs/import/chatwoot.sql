-- Prints a Chatwoot database as records, one a line: psql -qAt -f chatwoot.sql DATABASE > chatwoot.ndjson
-- Then: npx support import chatwoot.ndjson --site NAME. Chatwoot keeps its times in UTC.
SET TIME ZONE 'UTC';

SELECT json_build_object('type', 'agent', 'id', id, 'name', name, 'updated_at', to_char(updated_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) FROM users;
SELECT json_build_object('type', 'group', 'id', id, 'name', name, 'updated_at', to_char(updated_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) FROM teams;
SELECT json_build_object('type', 'channel', 'id', id, 'name', name, 'updated_at', to_char(updated_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) FROM inboxes;

-- Creations. Priorities of Chatwoot: 0 low, 1 medium, 2 high, 3 urgent.
SELECT json_strip_nulls(json_build_object(
  'type', 'case.created', 'id', 'cw:' || id, 'case', id, 'at', to_char(created_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
  'channel', inbox_id, 'priority', (ARRAY[2, 5, 8, 10])[priority + 1]))
FROM conversations;

-- Messages: 0 comes in, 1 and 3 (templates) go out; what no person sent is automated. Activities (2) say nothing here.
SELECT json_strip_nulls(json_build_object(
  'type', CASE WHEN private THEN 'note' ELSE 'interaction' END, 'id', 'cw:m:' || id, 'case', conversation_id,
  'at', to_char(created_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
  'direction', CASE WHEN private THEN NULL WHEN message_type = 0 THEN 'inbound' ELSE 'outbound' END,
  'agent', CASE WHEN message_type <> 0 AND sender_type = 'User' THEN sender_id END,
  'automated', CASE WHEN message_type <> 0 AND sender_type IS DISTINCT FROM 'User' THEN true END))
FROM messages WHERE message_type <> 2;

-- Solves and reopens, as the reporting events tell them.
SELECT json_strip_nulls(json_build_object(
  'type', 'case.status', 'id', 'cw:e:' || id, 'case', conversation_id, 'agent', user_id,
  'at', to_char(coalesce(event_end_time, created_at), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
  'to', CASE name WHEN 'conversation_resolved' THEN 'resolved' ELSE 'open' END))
FROM reporting_events WHERE name IN ('conversation_resolved', 'conversation_opened') AND conversation_id IS NOT NULL;

-- The assignee as it is now: Chatwoot keeps no others.
SELECT json_strip_nulls(json_build_object(
  'type', 'case.assigned', 'id', 'cw:a:' || id || ':' || coalesce(assignee_id, 0) || ':' || coalesce(team_id, 0), 'case', id,
  'at', to_char(updated_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'agent', assignee_id, 'group', team_id))
FROM conversations WHERE assignee_id IS NOT NULL OR team_id IS NOT NULL;

-- Ratings of 4 and 5 stars are good, of 1 and 2 bad; those between say neither.
SELECT json_build_object(
  'type', 'csat.rated', 'id', 'cw:r:' || id, 'case', conversation_id, 'at', to_char(created_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
  'score', CASE WHEN rating >= 4 THEN 1 ELSE 0 END)
FROM csat_survey_responses WHERE rating <> 3;
