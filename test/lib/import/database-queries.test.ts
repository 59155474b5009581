import { hasPostgres, type Postgres, startPostgres } from '../../support/database/postgres.ts';
import { CHATWOOT_TABLES } from '../../support/desks/chatwoot-desk.ts';

let postgres: Postgres;
beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres();
});
afterAll(() => postgres?.stop());

/** A query without ORDER BY promises no order, and an import needs none. */
const inOrder = (list: readonly unknown[]): unknown[] => [...list].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
const idOf = (record: unknown): string => String((record as { id: unknown }).id);

const nine = Date.UTC(2026, 2, 1, 9) * 1_000;

describe('the ready queries (need PostgreSQL 15 in /usr/lib/postgresql)', () => {
  (hasPostgres ? it : it.skip)('print a Chatwoot database as records', async () => {
    const found = await postgres.records(
      'chatwoot',
      `${CHATWOOT_TABLES}
       INSERT INTO users VALUES (42, 'Ann', '2026-01-01');
       INSERT INTO inboxes VALUES (3, 'Website', 1, '2026-01-01'), (4, 'Elsewhere', 2, '2026-01-01');
       INSERT INTO labels VALUES (11, 'vip', 1, '2026-01-01'), (12, 'vip', 2, '2026-01-01');
       INSERT INTO conversations VALUES (70, 7, 1, 3, 3, 42, NULL, 'refund, vip', '2026-03-01 09:00:00.5', '2026-03-01 11:00'),
         (71, 7, 2, 4, 3, 42, NULL, '', '2026-03-01 09:00:00', '2026-03-01 11:00');
       INSERT INTO messages VALUES (1, 70, 0, false, 'Contact', 5, '2026-03-01 09:00'), (2, 70, 1, false, 'User', 42, '2026-03-01 09:30'),
         (3, 70, 1, true, 'User', 42, '2026-03-01 09:31'), (4, 70, 3, false, NULL, NULL, '2026-03-01 09:32'), (5, 70, 2, false, NULL, NULL, '2026-03-01 09:33');
       INSERT INTO reporting_events VALUES (1, 'conversation_resolved', 70, 42, '2026-03-01 10:00:00.0019', '2026-03-01 10:01'), (2, 'first_response', 70, 42, NULL, '2026-03-01 09:30');
       INSERT INTO csat_survey_responses VALUES (1, 70, 5, '2026-03-01 12:00'), (2, 70, 3, '2026-03-01 12:00');`,
    );
    const at = (minutes: number, more = 0) => ({
      ...{ at: nine + minutes * 60_000_000 + more, case: '7', source: 'chatwoot' },
    });
    const updated = { updated_at: Date.UTC(2026, 0, 1) * 1_000 };
    expect(inOrder(found)).toEqual(
      inOrder([
        { type: 'agent', id: 42, name: 'Ann', ...updated },
        { type: 'channel', id: 3, name: 'Website', ...updated },
        { type: 'label', id: 11, name: 'vip', ...updated },
        { type: 'case.created', id: 'cw:7', ...at(0), channel: 3, priority: 10, labels: [11] },
        { type: 'case.assigned', id: 'cw:7:a', ...at(0), to: { agent: 42 } },
        { type: 'interaction', id: 'cw:m:1', ...at(0), direction: 'inbound' },
        { type: 'interaction', id: 'cw:m:2', ...at(30), direction: 'outbound', agent: 42 },
        { type: 'note', id: 'cw:m:3', ...at(31), agent: 42 },
        { type: 'interaction', id: 'cw:m:4', ...at(32), direction: 'outbound', automated: true },
        { type: 'case.status', id: 'cw:e:1', ...at(60, 1_000), agent: 42, to: 'resolved' },
        { type: 'case.assigned', id: 'cw:o:7:1772362800:assigned', ...at(120), to: { agent: 42, group: null } },
        { type: 'csat.rated', id: 'cw:r:1', ...at(180), score: 1 },
      ]),
    );
  });

  (hasPostgres ? it : it.skip)('print a Zammad database as records', async () => {
    const found = await postgres.records(
      'zammad',
      `CREATE TABLE users (id int, firstname text, lastname text, login text);
       CREATE TABLE roles (id int, name text); CREATE TABLE roles_users (user_id int, role_id int);
       CREATE TABLE groups (id int, name text); CREATE TABLE organizations (id int, name text);
       CREATE TABLE ticket_article_types (id int, name text); CREATE TABLE ticket_article_senders (id int, name text);
       CREATE TABLE tickets (id int, create_article_type_id int, organization_id int, priority_id int, created_at timestamp);
       CREATE TABLE ticket_articles (id int, ticket_id int, sender_id int, internal boolean, created_by_id int, created_at timestamp);
       CREATE TABLE histories (id int, o_id int, history_object_id int, history_attribute_id int, id_to int, created_by_id int, created_at timestamp);
       CREATE TABLE history_objects (id int, name text); CREATE TABLE history_attributes (id int, name text);
       CREATE TABLE ticket_states (id int, name text, state_type_id int); CREATE TABLE ticket_state_types (id int, name text);
       INSERT INTO users VALUES (42, 'Ann', 'Lee', 'ann'), (5, 'Bo', '', 'bo');
       INSERT INTO roles VALUES (2, 'Agent'), (3, 'Customer'); INSERT INTO roles_users VALUES (42, 2), (5, 3);
       INSERT INTO groups VALUES (1, 'Users'); INSERT INTO ticket_article_types VALUES (1, 'email');
       INSERT INTO ticket_article_senders VALUES (1, 'Agent'), (2, 'Customer'), (3, 'System');
       INSERT INTO tickets VALUES (7, 1, NULL, 3, '2026-03-01 09:00');
       INSERT INTO ticket_articles VALUES (1, 7, 2, false, 5, '2026-03-01 09:00'), (2, 7, 1, false, 42, '2026-03-01 09:30'),
         (3, 7, 1, true, 42, '2026-03-01 09:31'), (4, 7, 3, false, 1, '2026-03-01 09:32');
       INSERT INTO history_objects VALUES (1, 'Ticket'); INSERT INTO history_attributes VALUES (1, 'state'), (2, 'owner'), (3, 'group');
       INSERT INTO ticket_state_types VALUES (1, 'closed'), (2, 'pending reminder'); INSERT INTO ticket_states VALUES (4, 'closed', 1), (3, 'waiting', 2);
       INSERT INTO histories VALUES (1, 7, 1, 1, 4, 42, '2026-03-01 10:00'), (2, 7, 1, 2, 42, 42, '2026-03-01 09:30'),
         (3, 7, 1, 2, 1, 42, '2026-03-01 09:40'), (4, 7, 1, 1, 3, 1, '2026-03-01 09:50');`,
    );
    const at = (minutes: number) => ({ at: nine + minutes * 60_000_000, case: '7', source: 'zammad' });
    expect(inOrder(found)).toEqual(
      inOrder([
        { type: 'agent', id: 42, name: 'Ann Lee' },
        { type: 'group', id: 1, name: 'Users' },
        { type: 'channel', id: 1, name: 'email' },
        { type: 'case.created', id: 'za:7', ...at(0), channel: 1, priority: 8 },
        { type: 'interaction', id: 'za:m:1', ...at(0), direction: 'inbound' },
        { type: 'interaction', id: 'za:m:2', ...at(30), direction: 'outbound', agent: 42 },
        { type: 'note', id: 'za:m:3', ...at(31), agent: 42 },
        { type: 'interaction', id: 'za:m:4', ...at(32), direction: 'outbound', automated: true },
        { type: 'case.status', id: 'za:h:1', ...at(60), agent: 42, to: 'resolved' },
        { type: 'case.status', id: 'za:h:4', ...at(50), automated: true, to: 'pending' },
        { type: 'case.assigned', id: 'za:h:2', ...at(30), to: { agent: 42 } },
        { type: 'case.assigned', id: 'za:h:3', ...at(40), to: { agent: null } },
      ]),
    );
  });
});
