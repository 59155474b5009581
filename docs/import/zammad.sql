-- Prints a Zammad database as records, one a line: psql -qAt -f zammad.sql DATABASE > zammad.ndjson
-- Then: npx support import zammad.ndjson --site NAME. Zammad keeps its times in UTC.
-- Ids and source are those of a connection (docs/live.md), so that each event counts once.
SET TIME ZONE 'UTC';

SELECT json_build_object('type', 'agent', 'id', u.id, 'name', coalesce(nullif(trim(concat_ws(' ', u.firstname, u.lastname)), ''), u.login))
FROM users u
WHERE EXISTS (SELECT 1 FROM roles_users ru JOIN roles r ON r.id = ru.role_id WHERE ru.user_id = u.id AND r.name IN ('Agent', 'Admin'));

SELECT json_build_object('type', 'group', 'id', id, 'name', name) FROM groups;
SELECT json_build_object('type', 'company', 'id', id, 'name', name) FROM organizations;
SELECT json_build_object('type', 'channel', 'id', id, 'name', name) FROM ticket_article_types;

-- Creations. Priorities of Zammad: 1 low, 2 normal, 3 high.
SELECT json_strip_nulls(json_build_object(
  'source', 'zammad', 'type', 'case.created', 'id', 'za:' || t.id, 'case', t.id, 'at', to_char(t.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
  'channel', t.create_article_type_id, 'company', t.organization_id, 'priority', (ARRAY[2, 5, 8])[t.priority_id]))
FROM tickets t;

-- Articles: a customer's come in, an agent's go out, the system's are automated; internal ones are notes.
SELECT json_strip_nulls(json_build_object(
  'source', 'zammad', 'type', CASE WHEN a.internal THEN 'note' ELSE 'interaction' END, 'id', 'za:m:' || a.id, 'case', a.ticket_id,
  'at', to_char(a.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
  'direction', CASE WHEN a.internal THEN NULL WHEN s.name = 'Customer' THEN 'inbound' ELSE 'outbound' END,
  'agent', CASE WHEN s.name = 'Agent' THEN a.created_by_id END,
  'automated', CASE WHEN s.name = 'System' THEN true END))
FROM ticket_articles a JOIN ticket_article_senders s ON s.id = a.sender_id;

-- Changes of state, by the type of the state; owner 1 is nobody.
SELECT json_strip_nulls(json_build_object(
  'source', 'zammad', 'type', 'case.status', 'id', 'za:h:' || h.id, 'case', h.o_id, 'at', to_char(h.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
  'agent', CASE WHEN h.created_by_id > 1 THEN h.created_by_id END,
  'automated', CASE WHEN h.created_by_id = 1 THEN true END,
  'to', CASE st.name WHEN 'new' THEN 'new' WHEN 'open' THEN 'open' WHEN 'closed' THEN 'resolved' WHEN 'merged' THEN 'closed'
    WHEN 'removed' THEN 'closed' ELSE 'pending' END))
FROM histories h
JOIN history_objects o ON o.id = h.history_object_id AND o.name = 'Ticket'
JOIN history_attributes a ON a.id = h.history_attribute_id AND a.name = 'state'
JOIN ticket_states s ON s.id = h.id_to
JOIN ticket_state_types st ON st.id = s.state_type_id;

-- Changes of owner and group. A null takes the owner away, so it stays.
SELECT json_build_object(
  'source', 'zammad', 'type', 'case.assigned', 'id', 'za:h:' || h.id, 'case', h.o_id, 'at', to_char(h.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
  CASE a.name WHEN 'owner' THEN 'agent' ELSE 'group' END, CASE WHEN a.name = 'owner' AND h.id_to = 1 THEN NULL ELSE h.id_to END)
FROM histories h
JOIN history_objects o ON o.id = h.history_object_id AND o.name = 'Ticket'
JOIN history_attributes a ON a.id = h.history_attribute_id AND a.name IN ('owner', 'group');
