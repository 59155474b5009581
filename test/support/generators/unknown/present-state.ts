import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPack } from '../../../../infra/cli/import/recognise.ts';
import { openPack } from '../../../../lib/import/open-pack.ts';
import { type HistoryRecord, isEvent } from '../../../../lib/import/records/records.ts';
import { readZendeskFiles } from '../../zendesk/read-zendesk.ts';
import { type Numbers, numbersOf } from '../load-proposed.ts';
import { recordsOf, rowsOf } from '../read-rows.ts';
import { type Chance, chanceOf } from './chance.ts';
import { type KnownCase, knownCases, type State } from './help-desk.ts';
import { differences } from './outcome.ts';
import { mean } from './written.ts';

/** The objects of a help desk as its pack has them, without the tables of their history. */
interface Bare {
  readonly tables: Readonly<Record<string, readonly (readonly string[])[]>>; // by file, with the header
  readonly endOf: (one: KnownCase) => number | undefined; // the time of the end that the objects tell
}

/** How objects without their history ended. */
export interface PresentState {
  readonly seed: number;
  readonly pack: string;
  readonly is: 'right' | 'wrong';
  readonly why: string;
}

const START = Date.parse('2025-01-06T00:00:00Z');
const time = (at: number | undefined): string =>
  at === undefined ? '' : new Date(at).toISOString().slice(0, 19).replace('T', ' ');
const isDone = ({ done }: KnownCase): boolean => done !== undefined;
const USERS = [['id', 'role', 'name', 'email']];

type State4 = Readonly<Record<State, string>>;
const ZENDESK: State4 = { new: 'new', open: 'open', pending: 'pending', resolved: 'solved', closed: 'closed' };
const INTERCOM: State4 = { new: 'open', open: 'open', pending: 'snoozed', resolved: 'closed', closed: 'closed' };

/** The packs that have tables of history, each without them. */
const PACKS: Readonly<Record<string, (chance: Chance, cases: readonly KnownCase[]) => Bare>> = {
  'fivetran-zendesk': (_, cases) => ({
    tables: {
      user: USERS,
      ticket: [
        ['id', 'created_at', 'status', 'requester_id', 'via_channel', 'updated_at'],
        ...cases.map((one) => [one.id, time(one.created), ZENDESK[one.status], '9', 'email', time(one.updated)]),
      ],
    },
    endOf: () => undefined,
  }),
  'fivetran-intercom': (_, cases) => ({
    tables: {
      admin: [['id', 'name', 'email', 'job_title']],
      conversation_history: [
        ['id', 'created_at', 'updated_at', 'source_type', 'state', 'source_author_type'],
        ...cases.map((one) => [one.id, time(one.created), time(one.updated), 'email', INTERCOM[one.status], 'user']),
      ],
    },
    endOf: () => undefined,
  }),
  'fivetran-jira': (chance, cases) => {
    const endOf = told(chance, cases);
    return {
      tables: {
        user: [['id', 'name', 'email', 'time_zone']],
        priority: [['id', 'name']],
        status: [
          ['id', 'name', 'status_category_id'],
          ...['To Do', 'In Progress', 'Done'].map((name, index) => [`${index}`, name, `${index}`]),
        ],
        status_category: [['id', 'name'], ...['To Do', 'In Progress', 'Done'].map((name, index) => [`${index}`, name])],
        issue: [
          ['id', 'key', 'created', 'updated', 'status', 'assignee', 'resolved', 'reporter', 'priority'],
          ...cases.map((one) => [
            ...[one.id, `A-${one.id}`, time(one.created), time(one.updated)],
            ...[isDone(one) ? '2' : one.status === 'new' ? '0' : '1', '', time(endOf(one)), '', ''],
          ]),
        ],
      },
      endOf,
    };
  },
  'fivetran-hubspot': (chance, cases) => {
    const endOf = told(chance, cases);
    return {
      tables: {
        owner: [['owner_id', 'first_name', 'last_name', 'email']],
        ticket_pipeline_stage: [
          ['stage_id', 'label', 'ticket_state'],
          ['1', 'New', 'OPEN'],
          ['4', 'Shut', 'CLOSED'],
        ],
        ticket: [
          [
            ...['id', 'property_createdate', 'property_hs_pipeline_stage', 'property_source_type'],
            ...['property_hs_lastmodifieddate', 'property_closed_date'],
          ],
          ...cases.map((one) => [
            ...[one.id, time(one.created), isDone(one) ? '4' : '1', 'EMAIL', time(one.updated), time(endOf(one))],
          ]),
        ],
      },
      endOf,
    };
  },
};

/** The ends that objects tell: all, or not those of some cases. */
function told(chance: Chance, cases: readonly KnownCase[]): Bare['endOf'] {
  const lost = chance.maybe(0.5) ? 0.3 : 0;
  const lacks = new Set(cases.filter(() => chance.maybe(lost)));
  return (one) => (lacks.has(one) ? undefined : one.done);
}

type Envelope = (tickets: readonly object[]) => string;

/** Zendesk's tickets without their audits, as its API and as programs that copy it write them. */
const OBJECTS: Readonly<Record<string, Envelope>> = {
  'zendesk pages': (tickets) => JSON.stringify({ tickets, count: tickets.length }),
  'zendesk lines': (tickets) => tickets.map((ticket) => JSON.stringify(ticket)).join('\n'),
  singer: (tickets) =>
    tickets.map((record) => JSON.stringify({ type: 'RECORD', stream: 'tickets', record })).join('\n'),
  airbyte: (tickets) => tickets.map((data) => JSON.stringify({ stream: 'tickets', data, emitted_at: 1 })).join('\n'),
};

/** Reads a known history as objects of each pack without their history, and compares its numbers. */
export async function presentStates(seed: number): Promise<readonly PresentState[]> {
  const chance = chanceOf(seed);
  const cases = knownCases(chance, chance.pick([12, 25, 60]), START, 60);
  const found: PresentState[] = [];
  for (const [pack, write] of Object.entries(PACKS)) {
    const { tables, endOf } = write(chance, cases);
    found.push(judged(seed, pack, expectedOf(cases, endOf), await readPackTables(pack, tables)));
  }
  for (const [pack, envelope] of Object.entries(OBJECTS)) {
    const { records } = await readZendeskFiles([envelope(cases.map(ticketOf))]);
    found.push(
      judged(
        seed,
        pack,
        expectedOf(cases, () => undefined),
        records,
      ),
    );
  }
  return found;
}

const ticketOf = ({ id, created, updated, status }: KnownCase): object => ({
  ...{ id: Number(id), created_at: new Date(created).toISOString(), updated_at: new Date(updated).toISOString() },
  ...{ status: ZENDESK[status], subject: 'x', requester_id: 9, submitter_id: 9, assignee_id: null, group_id: null },
  ...{ tags: [], priority: 'normal', via: { channel: 'email' }, custom_fields: [] },
});

async function readPackTables(pack: string, tables: Bare['tables']): Promise<readonly HistoryRecord[]> {
  const folder = await mkdtemp(join(tmpdir(), 'present-'));
  try {
    const path = join(folder, 'files');
    await mkdir(path);
    for (const [name, rows] of Object.entries(tables))
      await writeFile(join(path, `${name}.csv`), `${rows.map((row) => row.join(',')).join('\n')}\n`);
    const files = await openPack({ path, pack: await findPack(pack, 'UTC'), zone: 'UTC', folder });
    return recordsOf(await rowsOf(files.batches));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function expectedOf(cases: readonly KnownCase[], endOf: Bare['endOf']): Numbers {
  const ended = cases.filter((one) => isDone(one) && endOf(one) !== undefined);
  return {
    creates: cases.length,
    created: cases.reduce((sum, one) => sum + one.created / 1_000, 0),
    open: cases.filter((one) => !isDone(one)).length,
    resolves: ended.length,
    resolved: ended.length,
    reopens: 0,
    resolution: mean(ended.map((one) => ((endOf(one) ?? 0) - one.created) / 1_000)),
  };
}

function judged(seed: number, pack: string, expected: Numbers, records: readonly HistoryRecord[]): PresentState {
  const events = records.filter(isEvent).filter((event) => 'case' in event);
  const why = differences(expected, numbersOf(events, new Map())).join('; ');
  return { seed, pack, is: why === '' ? 'right' : 'wrong', why };
}
