import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { originOf } from '../../../infra/cli/import/origin-options.ts';
import { findPack } from '../../../infra/cli/import/recognise.ts';
import { importRows } from '../../../lib/import/import-rows.ts';
import { openPack } from '../../../lib/import/open-pack.ts';
import { ratedPack } from '../../../lib/import/packs/pack.ts';
import { createCollections } from '../../../lib/store/collection.ts';
import { tries } from '../../support/generators/depth.ts';
import { readRows } from '../../support/generators/history.ts';
import { newSite } from '../../support/service/service.ts';
import { freshTable } from '../../support/service/table.ts';

const table = await freshTable();
const pack = ratedPack(await findPack('fivetran-zendesk', 'UTC'), 'yes_no');

const VALUES = {
  status: ['open', 'solved', 'pending', 'closed'],
  assignee_id: ['42', '43', '', '42'],
  priority: ['low', 'high', '', 'urgent'],
  group_id: ['7', '8', '', '7'],
} as const;
const minute = fc.integer({ min: 10, max: 59 });
const change = fc.record({
  field: fc.constantFrom('status', 'assignee_id', 'priority', 'group_id'),
  value: fc.integer({ min: 0, max: 3 }),
  user: fc.constantFrom('42', '', '500'),
  at: minute,
});
const comment = fc.record({
  id: fc.integer({ min: 1, max: 4 }),
  user: fc.constantFrom('42', '500'),
  isPublic: fc.boolean(),
  at: minute,
});
/** What a ticket is after one of its updates; a file that has rows of it always has some. */
const state = fc.record({
  status: fc.constantFrom('open', 'solved', 'closed', 'deleted'),
  organization: fc.constantFrom('9', ''),
  changes: fc.uniqueArray(change, { minLength: 1, maxLength: 4, selector: ({ field, at }) => `${field} ${at}` }),
  comments: fc.uniqueArray(comment, { minLength: 1, maxLength: 3, selector: ({ id }) => id }),
  tags: fc.uniqueArray(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 2 }),
});
const ticket = fc.record({
  states: fc.tuple(state, state, state),
  stateIn: fc.constantFrom([0, 0, 0], [0, 0, 1], [0, 1, 1], [0, 1, 2], [undefined, 0, 1], [undefined, undefined, 0]),
});
type Ticket = typeof ticket extends fc.Arbitrary<infer T> ? T : never;

/** The tables as they are in a week. */
function tablesIn(tickets: readonly Ticket[], week: number): Readonly<Record<string, string>> {
  const lines = {
    ticket: ['id,created_at,updated_at,status,priority,via_channel,requester_id,organization_id,group_id,assignee_id'],
    ticket_field_history: ['ticket_id,field_name,value,user_id,updated'],
    ticket_comment: ['id,ticket_id,user_id,public,created,voice_comment,call_duration'],
    ticket_tag: ['ticket_id,tag'],
    user: ['id,role,name', '42,agent,Ann', '43,agent,Bob', '500,end-user,Kim'],
  };
  for (const [place, { states, stateIn }] of tickets.entries()) {
    const id = place + 1;
    const version = stateIn[week];
    const now = version === undefined ? undefined : states[version];
    if (now === undefined) continue;
    const updated = `2026-03-0${3 + (version ?? 0)} 09:00:00`;
    lines.ticket.push(`${id},2026-03-02 09:00:00,${updated},${now.status},normal,web,500,${now.organization},7,42`);
    for (const { field, value, user, at } of now.changes)
      lines.ticket_field_history.push(`${id},${field},${VALUES[field][value]},${user},2026-03-02 09:${at}:00`);
    for (const one of now.comments)
      lines.ticket_comment.push(`${id * 10 + one.id},${id},${one.user},${one.isPublic},2026-03-02 09:${one.at}:00,,`);
    for (const tag of now.tags) lines.ticket_tag.push(`${id},${tag}`);
  }
  return Object.fromEntries(Object.entries(lines).map(([name, rows]) => [name, rows.join('\n')]));
}

async function freshSite() {
  const site = await newSite(table, { name: `p-${randomUUID().slice(0, 8)}` }, { default: false });
  const context = { now: 1_800_000_000_000, table, site, collections: createCollections(), newId: randomUUID };
  return Object.assign(context, { clock: () => context.now });
}

/** Imports the tables of a week, which were exported then. */
async function load(
  context: Awaited<ReturnType<typeof freshSite>>,
  tickets: readonly Ticket[],
  week: number,
  isComplete = false,
) {
  const folder = await mkdtemp(join(tmpdir(), 'weeks-'));
  for (const [name, text] of Object.entries(tablesIn(tickets, week)))
    await writeFile(join(folder, `${name}.csv`), text);
  const source = await openPack({ path: folder, pack, zone: 'UTC', folder: tmpdir() });
  const origin = originOf({ asOf: `2026-03-1${week}T00:00:00Z`, complete: isComplete }, source.origin, {});
  const rejected: string[] = [];
  context.now += 1_000;
  const summary = await importRows(context, source.batches, {
    spillFolder: tmpdir(),
    ...(origin === undefined ? {} : { origin }),
    onRejected: ({ reason }) => rejected.push(reason),
  });
  await rm(folder, { recursive: true });
  expect(rejected).toEqual([]);
  return summary;
}

const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
  [0, 2],
  [2, 0, 2],
] as const;

it('weeks of a pack, in any order, come to the newest one', async () => {
  const property = fc.asyncProperty(
    fc.array(ticket, { minLength: 1, maxLength: 3 }),
    fc.constantFrom(...ORDERS),
    async (tickets, order) => {
      const newest = await freshSite();
      await load(newest, tickets, 2);
      const all = await freshSite();
      for (const week of order) await load(all, tickets, week);
      expect(await readRows(all)).toEqual(await readRows(newest));
      const again = await load(all, tickets, 2, true);
      expect([again.added, again.replaced, again.removed]).toEqual([0, 0, 0]);
    },
  );
  await fc.assert(property, { numRuns: tries(20) });
});
