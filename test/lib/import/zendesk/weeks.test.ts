import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventsOf } from '../../../../lib/history/rewrite.ts';
import { openZendesk } from '../../../../lib/import/import-files.ts';
import { importRows } from '../../../../lib/import/import-rows.ts';
import { ZENDESK_DEFAULTS, type ZendeskOptions } from '../../../../lib/import/zendesk/options.ts';
import { createCollections } from '../../../../lib/store/collection.ts';
import { readRows } from '../../../support/generators/history.ts';
import { newSite } from '../../../support/service/service.ts';
import { freshTable } from '../../../support/service/table.ts';

const table = await freshTable();

type Week = readonly object[]; // the objects of an export

/** What weekly exports come to: messages and notes by ticket, seconds handled, and lines that were refused. */
async function imported(weeks: readonly Week[], options: Partial<ZendeskOptions> = {}) {
  const site = await newSite(table, { name: `z-${randomUUID().slice(0, 8)}` }, { default: false });
  const context = { now: 1_800_000_000_000, table, site, collections: createCollections(), newId: randomUUID };
  const timed = Object.assign(context, { clock: () => context.now });
  const folder = await mkdtemp(join(tmpdir(), 'zendesk-'));
  const refused: string[] = [];
  for (const [place, week] of weeks.entries()) {
    const path = join(folder, `${place}.json`);
    await writeFile(path, week.map((one) => JSON.stringify(one)).join('\n'));
    const source = await openZendesk({
      ...{ path, folder: tmpdir(), options: { ...ZENDESK_DEFAULTS, ...options } },
      eventsOf: (subjects) => eventsOf(timed, subjects),
    });
    context.now += 1_000;
    await importRows(timed, source.batches, {
      spillFolder: tmpdir(),
      onRejected: ({ reason }) => void refused.push(reason),
      ...(source.replacesStored && { replacesStored: source.replacesStored }),
    });
  }
  await rm(folder, { recursive: true });
  const [row] = (await readRows(timed)).flatMap((one) => ('facts' in one ? [one] : []));
  const { inbound = [], outbound = [], handle = [] } = row?.facts ?? {};
  return {
    inbound: inbound.length,
    outbound: outbound.map(({ second }) => second - NINE),
    handled: handle.map(({ value }) => value),
    refused,
  };
}

const NINE = Date.UTC(2026, 2, 1, 9) / 1000;
const audit = (id: number, minute: number, author_id: number, events: readonly object[]) => ({
  ...{ id, ticket_id: 7, author_id, via: { channel: 'web' }, events },
  created_at: new Date((NINE + minute * 60) * 1000).toISOString(),
});
const comment = (id: number, author_id: number, isPublic = true) => ({
  ...{ id, type: 'Comment', author_id, public: isPublic },
});
const privacy = (comment_id: number, isPublic: boolean) => ({
  ...{ id: 1, type: 'CommentPrivacyChange', comment_id, public: isPublic },
});
const create = (field_name: string, value: unknown) => ({ id: 1, type: 'Create', field_name, value });
const change = (field_name: string, value: unknown, previous_value: unknown) => ({
  ...{ id: 1, type: 'Change', field_name, value, previous_value },
});
const opening = (requester: number) =>
  audit(1, 0, requester, [comment(11, requester), create('status', 'new'), create('requester_id', String(requester))]);

describe('weekly exports of Zendesk', () => {
  const first = [opening(501), audit(2, 10, 42, [comment(12, 42)]), audit(3, 40, 42, [comment(13, 42)])];
  const second = [audit(4, 60, 42, [privacy(12, false)])];

  it('keep a comment private in whatever order they come, and however often', async () => {
    const options = { agents: [42] };
    const expected = { inbound: 1, outbound: [2_400], handled: [], refused: [] };
    for (const weeks of [
      [first, second],
      [first, second, first],
      [second, first],
      [second, first, second],
    ])
      expect(await imported(weeks, options)).toEqual(expected);
    expect(await imported([[...first, ...second]], options)).toEqual(expected);
  });

  it('make a comment public again where an audit says so', async () => {
    const third = [audit(5, 90, 42, [privacy(12, true)])];
    expect((await imported([first, second, third], { agents: [42] })).outbound).toEqual([600, 2_400]);
  });

  it('take no question of an agent for a reply where the creation is missing', async () => {
    const asked = [opening(42), audit(2, 10, 42, [comment(12, 42)]), audit(3, 40, 43, [comment(13, 43)])];
    const cut = asked.slice(1);
    const expected = { inbound: 2, outbound: [2_400], handled: [], refused: [] };
    expect(await imported([asked], { agents: [42, 43] })).toEqual(expected);
    expect(await imported([asked, cut], { agents: [42, 43] })).toEqual(expected);
    expect(await imported([cut, asked], { agents: [42, 43] })).toEqual(expected);
  });

  it('take an author for an agent who became known, and keep it', async () => {
    const known = [...first, audit(6, 95, 42, [change('assignee_id', '42', null)])];
    expect((await imported([first])).outbound).toEqual([]);
    expect((await imported([first, known])).outbound).toEqual([600, 2_400]);
    expect((await imported([first, known, first])).outbound).toEqual([600, 2_400]);
  });

  it('add a field of seconds in all once', async () => {
    const field = { id: 33, title: 'Total time spent (sec)', type: 'integer', raw_title: 'x' };
    const one = [field, opening(501), audit(2, 10, 42, [change('33', '600', null)])];
    const two = [field, audit(3, 60, 42, [change('33', '1800', '600')])];
    const options = { agents: [42], timeField: 'Total time spent (sec)' };
    expect((await imported([one, two], options)).handled).toEqual([600, 1_200]);
    expect((await imported([two, one], options)).handled).toEqual([600, 1_200]);
  });

  it('let the role of a user decide who is an agent', async () => {
    const users = [{ id: 600, role: 'end-user', name: 'Out', email: 'o@x', url: 'https://x/api/v2/users/600.json' }];
    const mail = [opening(501), audit(2, 10, 600, [comment(12, 600, false)]), audit(3, 40, 600, [comment(13, 600)])];
    expect(await imported([[...users, ...mail]])).toMatchObject({ inbound: 2, outbound: [] });
    expect(await imported([mail])).toMatchObject({ inbound: 1, outbound: [2_400] });
  });
});
