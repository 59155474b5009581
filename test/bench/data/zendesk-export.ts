import { createChance } from './chance.ts';

/** A ticket and its history in a made-up export of Zendesk. */
interface Ticket {
  readonly id: number;
  readonly requester: number;
  readonly created: number; // epoch s
  readonly tag: string;
  readonly company: number;
  readonly steps: readonly Step[];
}

/** An action of an agent or the requester: mostly a comment, sometimes changes. */
interface Step {
  readonly at: number; // epoch s
  readonly by: number;
  readonly isPublic: boolean;
  readonly changes: readonly (readonly [field: string, value: string, before: string | null])[];
}

const AGENTS = 200;
const FIRST_REQUESTER = 1_000;
const START = Date.UTC(2025, 0, 1) / 1000;
const YEAR = 365 * 86_400; // s
const SEED = 90_210;

/** The tickets of a year; the same tickets for the same count. */
function* madeTickets(count: number): Generator<Ticket> {
  const chance = createChance(SEED);
  for (let id = 1; id <= count; id += 1) {
    const created = START + chance.below(YEAR);
    const requester = FIRST_REQUESTER + chance.below(50_000);
    const agent = 1 + chance.skewed(AGENTS);
    let now = created + chance.spread(60, 40_000);
    const steps: Step[] = [];
    const answers = 1 + chance.below(4);
    for (let answer = 0; answer < answers; answer += 1) {
      const isFirst = answer === 0;
      const changes: Step['changes'] = isFirst
        ? [
            ['assignee_id', String(agent), null],
            ['group_id', String(1 + (agent % 20)), null],
            ['status', 'open', 'new'],
          ]
        : [['status', 'open', 'pending']];
      steps.push({ at: now, by: agent, isPublic: true, changes });
      if (chance.hits(0.2)) steps.push({ at: now + 30, by: agent, isPublic: false, changes: [] });
      now += chance.spread(600, 90_000);
      steps.push({ at: now, by: requester, isPublic: true, changes: [['status', 'pending', 'open']] });
      now += chance.spread(600, 90_000);
    }
    steps.push({ at: now, by: agent, isPublic: true, changes: [['status', 'solved', 'open']] });
    yield { id, requester, created, tag: `tag_${chance.skewed(400)}`, company: 1 + chance.skewed(900), steps };
  }
}

const zulu = (at: number): string => new Date(at * 1000).toISOString().replace('.000', '');

/** The users and then the audits of tickets, one JSON object on each line. */
export function* madeAudits(count: number): Generator<string> {
  for (let id = 1; id <= AGENTS; id += 1) yield `${JSON.stringify({ id, name: `Agent ${id}`, role: 'agent' })}\n`;
  for (const { id, requester, created, tag, company, steps } of madeTickets(count)) {
    let audit = id * 1_000;
    const first = (field_name: string, value: unknown) => ({ id: (audit += 1), type: 'Create', field_name, value });
    const wrote = (author_id: number, isPublic: boolean) => ({
      ...{ id: (audit += 1), type: 'Comment', author_id, public: isPublic, body: 'Something that somebody says.' },
    });
    const opening = [
      wrote(requester, true),
      first('status', 'new'),
      first('requester_id', String(requester)),
      first('tags', [tag, 'all']),
      first('priority', 'normal'),
      first('organization_id', String(company)),
    ];
    yield line(id, created, { id: (audit += 1), author_id: requester, via: 'email', events: opening });
    for (const { at, by, isPublic, changes } of steps) {
      const changed = changes.map(([field_name, value, previous_value]) => ({
        ...{ id: (audit += 1), type: 'Change', field_name, value, previous_value },
      }));
      const events = [wrote(by, isPublic), ...changed];
      yield line(id, at, { id: (audit += 1), author_id: by, via: 'web', events });
    }
  }
}

function line(
  ticket_id: number,
  at: number,
  { via, ...audit }: { readonly id: number; author_id: number; via: string; events: readonly object[] },
): string {
  const source = { from: {}, to: {}, rel: null };
  return `${JSON.stringify({ ...audit, ticket_id, created_at: zulu(at), via: { channel: via, source }, metadata: {} })}\n`;
}

/** The same tickets as Fivetran's tables: the lines of each file. */
export const madeTables = (count: number): Readonly<Record<string, () => Iterable<string>>> => ({
  'user.csv': () => madeUsers(),
  'ticket.csv': () => madeRows(count),
  'ticket_field_history.csv': () => madeChanges(count),
  'ticket_comment.csv': () => madeComments(count),
  'ticket_tag.csv': () => madeTags(count),
});

function* madeUsers(): Generator<string> {
  yield 'id,role,name\n';
  for (let id = 1; id <= AGENTS; id += 1) yield `${id},agent,Agent ${id}\n`;
}

function* madeRows(count: number): Generator<string> {
  yield 'id,created_at,updated_at,status,via_channel,requester_id,organization_id\n';
  for (const { id, requester, created, company, steps } of madeTickets(count))
    yield `${id},${utc(created)},${utc(steps.at(-1)?.at ?? created)},solved,email,${requester},${company}\n`;
}

function* madeChanges(count: number): Generator<string> {
  yield 'ticket_id,field_name,value,user_id,updated\n';
  for (const { id, requester, created, company, steps } of madeTickets(count)) {
    yield `${id},status,new,${requester},${utc(created)}\n`;
    yield `${id},priority,normal,${requester},${utc(created)}\n`;
    yield `${id},organization_id,${company},${requester},${utc(created)}\n`;
    for (const { at, by, changes } of steps)
      for (const [field, value] of changes) yield `${id},${field},${value},${by},${utc(at)}\n`;
  }
}

function* madeComments(count: number): Generator<string> {
  yield 'id,ticket_id,user_id,public,created\n';
  for (const { id, requester, created, steps } of madeTickets(count)) {
    let comment = id * 1_000;
    yield `${(comment += 1)},${id},${requester},true,${utc(created)}\n`;
    for (const { at, by, isPublic } of steps) yield `${(comment += 1)},${id},${by},${isPublic},${utc(at)}\n`;
  }
}

function* madeTags(count: number): Generator<string> {
  yield 'ticket_id,tag\n';
  for (const { id, tag } of madeTickets(count)) {
    yield `${id},${tag}\n`;
    yield `${id},all\n`;
  }
}

const utc = (at: number): string => zulu(at).replace('T', ' ').replace('Z', '');
