import { findPack } from '../../../../infra/cli/import/recognise.ts';
import { parseMapping } from '../../../../lib/import/mapping/parse-mapping.ts';
import { tellsOf } from '../../../../lib/import/mapping/tells.ts';
import { findParts, mappingsOf, PACKS } from '../../../../lib/import/packs/pack.ts';
import { ALL_TELLINGS } from '../../../../lib/vocabulary.ts';

const tells = (mapping: object, header?: readonly string[]) =>
  tellsOf(parseMapping(JSON.stringify({ case: 'id', ...mapping }), 'map.json', 'UTC'), header);
const tickets = (more: object = {}) => tells({ kind: 'tickets', created: 'opened', ...more });
const activities = (table: object, more: object = {}) =>
  tells({ kind: 'activities', at: 'at', activity: 'what', activities: table, ...more });

describe('what a file can tell', () => {
  it('is by the columns of a list of tickets, and never a reopen or a message', () => {
    expect(tickets()).toEqual(['creations']);
    expect(tickets({ solved: 'done' })).toEqual(['creations', 'statuses', 'resolves']);
    expect(tickets({ status: 'state' })).toEqual(['creations', 'statuses', 'resolves']); // at the last update
    expect(tickets({ status: 'state', ended_when: 'unknown' })).toEqual(['creations', 'statuses']);
    expect(tickets({ replied: 'first', csat: 'stars', labels: 'tags' })).toEqual([
      ...['creations', 'first_replies', 'ratings', 'labels'],
    ]);
  });

  it('is by the columns that a file of a pack has, in capital or small letters', () => {
    const mapping = { kind: 'tickets', created: 'opened', replied: { column: 'opened', plus: PLUS }, csat: 'Stars' };
    expect(tells(mapping, ['id', 'OPENED', 'waited'])).toEqual(['creations', 'first_replies']);
    expect(tells(mapping, ['id', 'opened', 'stars'])).toEqual(['creations', 'ratings']);
  });

  it('is of states of cases what their statuses can change into', () => {
    const states = (status: object) => tells({ kind: 'snapshots', at: 'at', status });
    const any = ['creations', 'statuses', 'resolves', 'reopens'];
    expect(states({ column: 'state' })).toEqual(any);
    expect(states({ column: 'state', table: { a: 'open', b: 'closed' } })).toEqual(any);
    expect(states({ column: 'state', table: { b: 'closed' }, default: 'resolved' })).toEqual(any.slice(0, 3));
  });

  it('is of messages no status, and their creation where the first one counts as it', () => {
    const usual = { kind: 'messages', at: 'at', key: ['n'], direction: 'dir' };
    const both = ['customer_messages', 'first_replies', 'replies'];
    expect(tells(usual)).toEqual(both);
    expect(tells({ ...usual, created: {}, note: 'private', call_end: 'end' })).toEqual([
      ...['creations', ...both, 'notes', 'handling'],
    ]);
    const out = { ...usual, direction: { value: 'outbound' } };
    expect(tells(out)).toEqual(['first_replies', 'replies']);
  });

  it('is of activities what their events tell', () => {
    const to = (status: string) => ({ type: 'case.status', to: { value: status } });
    expect(activities({ Done: to('resolved') })).toEqual(['statuses', 'resolves']);
    expect(activities({ Done: to('resolved'), Again: to('open') })).toEqual(['statuses', 'resolves', 'reopens']);
    expect(
      activities({ Said: { type: 'note' } }, { created: {}, otherwise: { type: 'csat.rated', score: 'n' } }),
    ).toEqual([...['creations', 'notes', 'ratings']]);
    expect(
      activities({ Tag: { type: 'case.labels', add: 'tag' }, Work: { type: 'case.handled', from: 'a', to: 'b' } }),
    ).toEqual(['labels', 'handling']);
  });

  it.each(PACKS)('is told of every export: %s', async (name) => {
    const { parts } = await findPack(name, 'UTC');
    const all = new Set(parts.flatMap((part) => mappingsOf(part, 'UTC', name)).flatMap((mapping) => tellsOf(mapping)));
    const isList = name.endsWith('-csv') || name === 'servicenow-incidents'; // one row a ticket
    expect([...all]).toEqual(expect.arrayContaining(['creations', 'statuses', 'resolves']));
    // HubSpot's tables of tickets have no messages.
    expect([all.has('replies'), all.has('reopens')]).toEqual([!isList && name !== 'fivetran-hubspot', !isList]);
    expect([...all].every((each) => ALL_TELLINGS.includes(each))).toBe(true);
  });
});

describe('what a pack without the file of its history can tell', () => {
  const columns = [
    'id',
    'created_at',
    'created',
    'property_createdate',
    'status',
    'state',
    'property_hs_pipeline_stage',
  ];
  const told = async (name: string, isThere: (part: string) => boolean, header: readonly string[]) => {
    const pack = await findPack(name, 'UTC');
    const paths = pack.parts.map((part) => part.name).filter(isThere);
    const found = findParts(
      pack,
      paths.map((part) => `${part}.csv`),
    ).map(({ part }) => part);
    return found.flatMap((part) => mappingsOf(part, 'UTC', name)).flatMap((mapping) => tellsOf(mapping, header));
  };

  it.each([
    ['fivetran-zendesk', 'ticket', 'ticket_field_history', undefined],
    ['fivetran-jira', 'issue', 'issue_field_history', 'resolved'],
    ['fivetran-hubspot', 'ticket', 'ticket_property_history', 'property_closed_date'],
    ['fivetran-intercom', 'conversation_history', 'conversation_part_history', undefined],
  ])('is when cases were done only where their rows say it: %s', async (name, cases, history, end) => {
    const only = (part: string): boolean => part === cases || !/history|comment/.test(part);
    expect(await told(name, only, columns)).toEqual(['creations', 'statuses']);
    if (end !== undefined)
      expect(await told(name, only, [...columns, end])).toEqual(['creations', 'statuses', 'resolves']);
    const changes = await told(name, () => true, [...columns, 'value', 'part_type']);
    expect([history, changes]).toEqual([history, expect.arrayContaining(['creations', 'resolves', 'reopens'])]);
  });
});

const PLUS = { column: 'Waited', unit: 'minutes' };
