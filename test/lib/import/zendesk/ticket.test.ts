import { memberId } from '../../../../lib/access/member-id.ts';
import { formatInstant } from '../../../../lib/history/cases/instant.ts';
import { isEvent } from '../../../../lib/import/records/records.ts';
import type { ZendeskOptions } from '../../../../lib/import/zendesk/options.ts';
import { readZendeskFiles } from '../../../support/zendesk/read-zendesk.ts';

const create = (field_name: string, value: unknown) => ({ id: 1, type: 'Create', field_name, value });
const change = (field_name: string, value: unknown, previous_value: unknown, more = {}) => ({
  id: 2,
  type: 'Change',
  field_name,
  value,
  previous_value,
  ...more,
});
const comment = (id: number, author_id: number, isPublic = true, more = {}) => ({
  id,
  type: 'Comment',
  author_id,
  public: isPublic,
  body: 'Hello',
  ...more,
});
const RULE = { via: { channel: 'rule', source: { from: { id: 9 }, rel: 'trigger' } } };

/** An audit so many minutes after nine. */
const audit = (
  ...[id, minute, author_id, events, via = { channel: 'web' }]: [number, number, number, readonly object[], object?]
) => ({
  id,
  ticket_id: 7,
  created_at: new Date(Date.UTC(2026, 2, 1, 9, minute)).toISOString().replace('.000', ''),
  author_id,
  via: { source: { from: {}, to: {}, rel: null }, ...via },
  events,
});
const opening = audit(1, 0, 501, [comment(11, 501), create('status', 'new'), create('requester_id', '501')], {
  channel: 'email',
});

/** The events of some audits as short texts: what, when, who. */
async function story(audits: readonly object[], options: Partial<ZendeskOptions> = {}): Promise<string[]> {
  const { records } = await readZendeskFiles([audits.map((one) => JSON.stringify(one)).join('\n')], options);
  return records.filter(isEvent).map((event) => {
    const { type, id, at, case: _, agent, automated, source: __, ...rest } = event as never as Record<string, unknown>;
    const who = automated ? ' automated' : agent === undefined ? '' : ` by ${agent}`;
    const what = Object.values(rest)
      .map((value) => ` ${JSON.stringify(value)}`)
      .join('');
    return `${formatInstant(Number(at)).slice(11, 16)} ${String(id).replace(/0{3,}/, '')} ${type}${who}${what}`;
  });
}
const label = (name: string) => memberId('label', name);

describe('a ticket of Zendesk', () => {
  it('is created with the first values, answered and solved', async () => {
    const audits = [
      audit(
        1,
        0,
        501,
        [
          comment(11, 501),
          create('status', 'open'),
          create('tags', ['billing']),
          create('priority', 'urgent'),
          create('organization_id', '9'),
          create('12', 'gold'),
          create('requester_id', '501'),
        ],
        { channel: 'email' },
      ),
      audit(90, 30, 42, [
        comment(12, 42),
        change('assignee_id', '42', null),
        change('group_id', '7', null),
        change('status', 'solved', 'open'),
        { type: 'AgentMacroReference', macro_id: '8', macro_title: 'Thanks' },
      ]),
      audit(400, 59, -1, [change('status', 'closed', 'solved')], RULE.via),
    ];
    expect(await story(audits)).toEqual([
      `09:00 zd:1:created case.created ${memberId('channel', 'Email')} [${label('billing')}] 10 9 {"12":"gold"}`,
      '09:00 zd:1:status case.status "open"',
      '09:00 zd:c:11 interaction "inbound"',
      '09:30 zd:90:assigned case.assigned {"agent":42,"group":7}',
      '09:30 zd:90:status case.status by 42 "resolved"',
      '09:30 zd:90:macro macro.applied by 42 8',
      '09:30 zd:c:12 interaction by 42 "outbound"',
      '09:59 zd:400:status case.status automated "closed"',
    ]);
  });

  it('may be filed by an agent for a requester', async () => {
    const filed = audit(1, 0, 42, [comment(11, 42), create('requester_id', '501'), create('assignee_id', '42')]);
    expect(await story([filed])).toEqual([
      `09:00 zd:1:created case.created by 42 ${memberId('channel', 'Web')}`,
      '09:00 zd:1:assigned case.assigned {"agent":42}',
      '09:00 zd:c:11 interaction by 42 "outbound"',
    ]);
  });

  it('is changed by triggers inside an audit of an agent, and reassigned by automation', async () => {
    const audits = [
      opening,
      audit(2, 1, 42, [
        comment(12, 42, false),
        change('priority', 'high', null, RULE),
        change('tags', ['vip', 'a'], ['b', 'a'], RULE),
        change('tags', ['vip', 'a', 'c'], ['vip', 'a'], RULE),
        change('12', 'silver', 'gold', { via: { channel: 'web' } }),
      ]),
      audit(3, 2, -1, [change('assignee_id', '43', '42'), change('status', 'pending', 'new')], RULE.via),
    ];
    expect((await story(audits)).slice(2)).toEqual([
      '09:01 zd:2:priority case.priority automated 8',
      `09:01 zd:2:labels case.labels automated [${label('vip')}] [${label('b')}]`,
      `09:01 zd:2:labels~1 case.labels automated [${label('c')}] []`,
      '09:01 zd:2:field12 case.custom_field by 42 12 "silver"',
      '09:01 zd:c:12 note by 42',
      '09:02 zd:3:assigned case.assigned automated {"agent":43}',
      '09:02 zd:3:status case.status automated "pending"',
    ]);
  });

  it('keeps or skips the close of a merged ticket, and has the label in any case', async () => {
    const merged = audit(2, 1, 42, [comment(12, 42, false), change('status', 'closed', 'solved')], {
      channel: 'web',
      source: { from: {}, to: {}, rel: 'merge' },
    });
    const tagged = audit(3, 2, 42, [change('tags', ['closed_by_merge'], []), change('status', 'closed', 'open')]);
    const labels = (id: number) => `09:0${id - 1} zd:${id}:labels case.labels by 42 [${label('closed_by_merge')}] []`;
    expect((await story([opening, merged, tagged])).slice(2)).toEqual([
      '09:01 zd:2:status case.status by 42 "closed"',
      labels(2),
      '09:01 zd:c:12 note by 42',
      labels(3),
      '09:02 zd:3:status case.status by 42 "closed"',
    ]);
    const skipped = await story([opening, merged, tagged], { merged: 'skip' });
    expect(skipped.slice(2)).toEqual([
      '09:01 zd:2:status case.deleted by 42',
      labels(2),
      '09:01 zd:c:12 note by 42',
      labels(3),
      '09:02 zd:3:status case.deleted by 42',
    ]);
  });

  it('is deleted and restored', async () => {
    const audits = [
      opening,
      audit(2, 1, 42, [change('status', 'deleted', 'open')]),
      audit(3, 2, 42, [change('status', 'open', 'deleted')]),
    ];
    expect((await story(audits, { agents: [42] })).slice(2)).toEqual([
      '09:01 zd:2:status case.deleted by 42',
      '09:02 zd:3:status case.status by 42 "open"',
    ]);
  });

  it('is rated, and the rating is taken back', async () => {
    const audits = [
      opening,
      audit(2, 1, -1, [change('satisfaction_score', 'offered', 'unoffered')]),
      audit(3, 2, 501, [change('satisfaction_score', 'good', 'offered')]),
      audit(4, 3, 501, [change('satisfaction_score', 'badwithcomment', 'good')]),
      audit(5, 4, -1, [change('satisfaction_score', 'offered', 'badwithcomment')]),
    ];
    expect((await story(audits)).slice(2)).toEqual([
      '09:02 zd:3:rated csat.rated 1',
      '09:03 zd:4:rated csat.rated 0',
      '09:04 zd:5:rated csat.rated automated null',
    ]);
    expect((await story(audits, { rating: 'four_star' })).slice(2, 4)).toEqual([
      '09:02 zd:3:rated csat.rated 4',
      '09:03 zd:4:rated csat.rated 1',
    ]);
  });

  it('has statuses of its own, and hold is open unless it is told otherwise', async () => {
    const audits = [opening, audit(2, 1, 501, [change('status', 'hold', 'new'), change('custom_status_id', '5', '4')])];
    expect((await story(audits)).slice(2)).toEqual(['09:01 zd:2:status case.status "open"']);
    expect((await story(audits, { statuses: { hold: 'pending' } })).slice(2)).toEqual([
      '09:01 zd:2:status case.status "pending"',
    ]);
    const odd = await readZendeskFiles([JSON.stringify(audit(2, 1, 501, [change('status', 'waiting', 'new')]))]);
    expect(odd.findings.ignored).toEqual({ 'status waiting': 1 });
  });

  it('tells how many tickets have no creation', async () => {
    const other = { ...audit(3, 1, 501, [change('status', 'open', 'new')]), ticket_id: 8 };
    const { findings } = await readZendeskFiles([JSON.stringify(opening), JSON.stringify(other)]);
    expect(findings.warnings).toEqual([expect.stringMatching(/^1 of 2 tickets have no creation in these files: /)]);
    expect((await readZendeskFiles([JSON.stringify(opening)])).findings.warnings).toEqual([]);
  });

  it('has calls with the time they took', async () => {
    const call = {
      id: 12,
      type: 'VoiceComment',
      author_id: 501,
      public: true,
      data: { call_duration: 90, answered_by_id: 42, started_at: '2026-03-01T09:00:30Z', from: '+1' },
    };
    expect((await story([opening, audit(2, 2, 501, [call])])).slice(2)).toEqual([
      '09:02 zd:c:12 interaction "inbound"',
      '09:00 zd:c:12:h case.handled by 42 1772355630000000 1772355720000000',
    ]);
  });

  it('reads a comment that was made private as a note', async () => {
    const hidden = audit(3, 2, 43, [{ type: 'CommentPrivacyChange', comment_id: 12, public: false }]);
    expect((await story([opening, audit(2, 1, 42, [comment(12, 42)]), hidden], { agents: [42] })).slice(2)).toEqual([
      '09:01 zd:c:12 note by 42',
    ]);
  });

  it('takes a message by nobody known for inbound, and by a machine for automated', async () => {
    const audits = [
      opening,
      audit(2, 1, 42, [comment(12, 777), comment(13, -1), comment(14, 600)]),
      audit(3, 2, 42, [change('requester_id', '600', '501'), comment(15, 600), comment(16, 501)]),
    ];
    expect((await story(audits, { automated: [600], agents: [501] })).slice(2)).toEqual([
      '09:01 zd:c:12 interaction "inbound"',
      '09:01 zd:c:13 interaction automated "outbound"',
      '09:01 zd:c:14 interaction automated "outbound"',
      '09:02 zd:c:15 interaction "inbound"',
      '09:02 zd:c:16 interaction by 501 "outbound"',
    ]);
  });

  it('whose first audit is missing is created as its record says', async () => {
    const ticket = {
      id: 7,
      status: 'open',
      requester_id: 501,
      created_at: '2026-02-01T00:00:00Z',
      via: { channel: 'api' },
    };
    const later = audit(2, 1, 501, [comment(12, 501)]);
    expect(await story([later, ticket], { agents: [501] })).toEqual([
      `00:00 zd:t:7 case.created ${memberId('channel', 'API')}`,
      '09:01 zd:c:12 interaction "inbound"',
    ]);
    expect((await story([opening, ticket])).filter((event) => event.includes('created'))).toHaveLength(1);
  });

  describe('without audits is as its record says, as of its last update', () => {
    const record = (more: object) => ({
      ...{ id: 7, requester_id: 501, created_at: '2026-03-01T09:00:00Z', updated_at: '2026-03-02T10:30:00Z' },
      ...{ assignee_id: 42, group_id: null, priority: 'high', tags: [], custom_fields: [{ id: 33, value: 'gold' }] },
      ...{ satisfaction_rating: { score: 'good' }, ...more },
    });
    const created = (status = '') => `09:00 zd:t:7 case.created ${status}8 {"33":"gold"}`;
    const CREATED = created();
    const ASSIGNED = '10:30 zd:t:7:assigned case.assigned {"agent":42}';

    it.each([
      ['new', {}, [CREATED, ASSIGNED]],
      ['pending', {}, [CREATED, ASSIGNED, '10:30 zd:t:7:status case.status "pending"']],
      ['solved', {}, [created('"resolved" '), ASSIGNED]],
      ['closed', {}, [created('"closed" '), ASSIGNED]],
      ['deleted', {}, [CREATED, ASSIGNED, '10:30 zd:t:7:status case.deleted']],
    ])('%s', async (status, options, events) => {
      expect(await story([record({ status })], options)).toEqual(events);
    });

    it('merged into another, and skipped', async () => {
      const merged = record({ status: 'closed', tags: ['closed_by_merge'] });
      expect((await story([merged], { merged: 'skip' })).at(-1)).toBe('10:30 zd:t:7:status case.deleted');
    });

    it('beside its comments, and gives way to audits that come with it', async () => {
      const solved = record({ status: 'solved' });
      const told = await story([solved, { ticket_id: 7, created_at: '2026-03-01T09:05:00Z', ...comment(12, 501) }]);
      expect(told).toEqual([created('"resolved" '), ASSIGNED, '09:05 zd:c:12 interaction "inbound"']);
      expect(await story([solved, opening])).toEqual(await story([opening]));
    });
  });

  it('takes the time that an app notes', async () => {
    const fields = { id: 33, title: 'Total time spent (sec)', type: 'integer', raw_title: 'x' };
    const audits = [
      fields,
      opening,
      audit(2, 1, 42, [change('33', '30', null)]),
      audit(3, 9, 42, [change('33', '90', '30')]),
    ];
    const told = await story(audits, { timeField: 'Total time spent (sec)', agents: [42] });
    expect(told.filter((event) => event.includes('handled'))).toEqual([
      '09:01 zd:2:handled case.handled by 42 1772355630000000 1772355660000000',
      '09:09 zd:3:handled case.handled by 42 1772356080000000 1772356140000000',
    ]);
  });

  it('is the same by audits and by ticket events, whichever comes and how often', async () => {
    const audits = [
      audit(
        1,
        0,
        501,
        [
          comment(11, 501),
          create('status', 'new'),
          create('tags', ['a']),
          create('requester_id', '501'),
          create('12', 'x'),
        ],
        { channel: 'email' },
      ),
      audit(2, 1, 42, [
        comment(12, 42),
        change('status', 'solved', 'new'),
        change('assignee_id', '42', null),
        change('tags', ['a', 'vip'], ['a'], RULE),
        change('12', 'y', 'x'),
      ]),
    ];
    const events = [
      {
        id: 1,
        ticket_id: 7,
        timestamp: Date.UTC(2026, 2, 1, 9) / 1000,
        created_at: '2026-03-01T09:00:00Z',
        updater_id: 501,
        via: 'Mail',
        child_events: [
          { id: 11, event_type: 'Comment', type: 'Comment', author_id: 501, public: true },
          {
            id: 1,
            event_type: 'Create',
            status: 'new',
            tags: ['a'],
            requester_id: 501,
            custom_ticket_fields: { 12: 'x' },
          },
        ],
      },
      {
        id: 2,
        ticket_id: 7,
        timestamp: Date.UTC(2026, 2, 1, 9, 1) / 1000,
        updater_id: 42,
        via: 'Web form',
        child_events: JSON.stringify([
          { id: 12, event_type: 'Comment', type: 'Comment', author_id: 42, public: true },
          { event_type: 'Change', status: 'solved', previous_value: 'new' },
          { assignee_id: 42, previous_value: null },
          { event_type: 'Change', tags: ['a', 'vip'], added_tags: ['vip'], removed_tags: [], via: 'Rule' },
          { event_type: 'Change', custom_ticket_fields: { 12: 'y' }, previous_value: 'x' },
        ]),
      },
    ];
    const expected = await story(audits);
    expect(await story(events)).toEqual(expected);
    expect(await story([...events, ...audits, ...events])).toEqual(expected);
  });
});
