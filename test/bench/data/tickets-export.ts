import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createChance } from './chance.ts';

/** Writes the mapping for the CSV of `madeTickets`; returns the path of its file. */
export function writeTicketsMapping(folder: string): string {
  const file = join(folder, 'tickets.mapping.json');
  const mapping = {
    kind: 'tickets',
    time: { format: 'yyyy-MM-dd HH:mm', zone: 'UTC' },
    case: 'Id',
    created: 'Created at',
    updated: 'Updated at',
    as_of: 'Updated at',
    requester: 'Requester',
    submitter: 'Submitter',
    replied: { column: 'Created at', plus: { column: 'First reply time in minutes', unit: 'minutes' } },
    assigned: 'Assigned at',
    solved: 'Solved at',
    agent: 'Assignee',
    group: 'Group',
    status: { column: 'Status', table: { Solved: 'resolved', Closed: 'closed', Pending: 'pending' }, default: 'open' },
    priority: { column: 'Priority', table: { Urgent: 10, High: 8, Normal: 5 }, default: 2 },
    channel: 'Via',
    labels: { column: 'Tags', split: ' ' },
    csat: { column: 'Satisfaction Score', table: { Good: 4, Bad: 1 }, default: null },
  };
  writeFileSync(file, JSON.stringify(mapping));
  return file;
}

const HEADER = [
  ...[
    'Id',
    'Requester',
    'Submitter',
    'Assignee',
    'Group',
    'Subject',
    'Tags',
    'Status',
    'Priority',
    'Via',
    'Created at',
  ],
  ...['Updated at', 'Assigned at', 'Organization', 'Solved at', 'Satisfaction Score', 'First reply time in minutes'],
];
const START = Date.UTC(2025, 0, 1) / 60_000;
const MINUTES = 365 * 24 * 60;
const SEED = 4_711;

/** A help desk's CSV export of `count` tickets, one row for each; in week 1 a tenth of them differ from week 0. */
export function* madeTickets(count: number, week: 0 | 1 | 2 = 0): Generator<string> {
  const chance = createChance(SEED);
  yield `${HEADER.join(',')}\n`;
  for (let id = 1; id <= count; id += 1) {
    const created = START + chance.below(MINUTES);
    const [reply, solve] = [chance.spread(1, 600), chance.spread(600, 20_000)];
    const agent = `Agent ${chance.skewed(300)}`;
    const [group, tag, via, requester] = [chance.skewed(20), chance.skewed(400), chance.below(4), chance.below(50_000)];
    const isChanged = week > 0 && id % 10 === 0;
    const updated = created + solve + (isChanged ? 10_080 : 0);
    const cells = [
      ...[id, `Requester ${requester}`, `Requester ${requester}`, isChanged ? 'Agent new' : agent, `Group ${group}`],
      ...[`Subject of ticket ${id} that says something`, `tag_${tag} all`, isChanged ? 'Closed' : 'Solved', 'Normal'],
      ...[
        ['Email', 'Web', 'API', 'Chat'][via],
        minute(created),
        minute(updated),
        minute(created + 1),
        `Org ${id % 900}`,
      ],
      ...[minute(created + solve), id % 7 === 0 ? 'Good' : '', reply],
    ];
    yield `${cells.join(',')}\n`;
  }
}

const minute = (at: number): string => new Date(at * 60_000).toISOString().slice(0, 16).replace('T', ' ');
