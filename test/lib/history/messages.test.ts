import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Intake, type Message, takeMessages } from '../../../lib/history/messages.ts';

const taken: string[] = [];
const refused: string[] = [];
const failing = new Set<string>(); // ids of events that cannot be taken in for now
let number = 0;

const intake: Intake<string> = {
  findSite: async (named) => (named === 'elsewhere' ? undefined : (named ?? 'default')),
  takeEvents: async (site, events) =>
    events.map(({ id }) => {
      if (failing.has(id)) return { error: new Error('busy') };
      if (id === 'conflict') return { reason: 'id: taken' };
      taken.push(`${site} ${id}`);
      return 'taken';
    }),
  takeReference: async (_, { type }) => (type === 'group' ? 'no groups today' : undefined),
  refuse: async (message, reason) => {
    if (message.body === 'unrefusable') throw new Error('the dead letters are full');
    refused.push(reason);
  },
  onFailure: () => undefined,
};

function event(id: string, group: string, site?: string): Message {
  const body = JSON.stringify({ type: 'case.deleted', id, at: '2026-03-01T09:00:00Z', case: group });
  return { id: `m${(number += 1)}`, group, site, body };
}
const text = (body: string, group: string): Message => ({ id: `m${(number += 1)}`, group, site: undefined, body });

beforeEach(() => {
  for (const list of [taken, refused]) list.length = 0;
  failing.clear();
});

describe('a batch of messages', () => {
  it('is taken in as a whole, each message for its site', async () => {
    const outcome = await takeMessages([event('a', '1'), event('b', '2', 'acme'), event('c', '1')], intake);
    expect(outcome).toEqual({ failed: [], refused: 0 });
    expect(taken.sort()).toEqual(['acme b', 'default a', 'default c']);
  });

  it.each([
    ['{"type":', 'the line is not JSON'],
    ['{"type":"case.exploded"}', 'type: "case.exploded" is no record type'],
    ['17', '17 is no object'],
  ])('refuses %j with its reason, and takes what follows it in its group', async (body, reason) => {
    const outcome = await takeMessages([text(body, '1'), event('b', '1'), event('c', '2')], intake);
    expect(outcome).toEqual({ failed: [], refused: 1 });
    expect([refused, taken]).toEqual([[reason], ['default b', 'default c']]);
  });

  it('refuses a message for a site that is not there, a conflict and a record that cannot be taken', async () => {
    const messages = [
      event('a', '1', 'elsewhere'),
      event('conflict', '2'),
      text('{"type":"group","id":1,"name":"g"}', '3'),
    ];
    expect(await takeMessages(messages, intake)).toEqual({ failed: [], refused: 3 });
    expect(refused.sort()).toEqual(['id: taken', 'no groups today', 'site: there is no site "elsewhere"']);
  });

  it('brings a failed message again and leaves all that follow it in its group unsettled', async () => {
    failing.add('bad');
    const messages = [event('a', '1'), event('bad', '1'), event('c', '1'), event('d', '2')];
    const { failed } = await takeMessages(messages, intake);
    expect(failed).toEqual(messages.slice(1, 3).map(({ id }) => id));
    expect(taken).toEqual(['default a', 'default c', 'default d']);
  });

  it('keeps a message that can be neither taken in nor put aside', async () => {
    const messages = [text('unrefusable', '1'), event('b', '1')];
    expect((await takeMessages(messages, intake)).failed).toEqual(messages.map(({ id }) => id));
  });
});
