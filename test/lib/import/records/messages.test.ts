import { NEW_SITE, type Site } from '../../../../lib/access/site-fields.ts';
import {
  type Message,
  type MessageFate,
  type MessageHandlers,
  takeMessages,
  validSqsText,
} from '../../../../lib/import/records/messages.ts';

const taken: string[] = [];
const refused: string[] = [];
const failing = new Set<string>(); // ids of records that cannot be taken in for now
let number = 0;

const siteNamed = (name: string): Site => ({ ...NEW_SITE, name, title: name, hosts: [] });

const intake: MessageHandlers = {
  findSite: async (named) => (named === 'elsewhere' ? undefined : siteNamed(named ?? 'default')),
  takeRecords: async ({ name }, letters) => {
    if (name === 'broken') throw new Error('nothing works');
    return letters.map(({ record }): MessageFate => {
      const id = 'id' in record ? String(record.id) : '';
      if (failing.has(id)) return { error: new Error('busy') };
      if (id === 'conflict') return { reason: 'id: taken' };
      if (id === 'left') return 'left';
      taken.push(`${name} ${id}`);
      return 'taken';
    });
  },
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
    ['{"type":"case.exploded"}', 'type: "case.exploded" is not a record type'],
    ['17', '17 is not an object'],
  ])('refuses %j with its reason, and takes what follows it in its group', async (body, reason) => {
    const outcome = await takeMessages([text(body, '1'), event('b', '1'), event('c', '2')], intake);
    expect(outcome).toEqual({ failed: [], refused: 1 });
    expect([refused, taken]).toEqual([[reason], ['default b', 'default c']]);
  });

  it('refuses a message for a site that is not there, and a record that cannot be taken', async () => {
    const messages = [event('a', '1', 'elsewhere'), event('conflict', '2')];
    expect(await takeMessages(messages, intake)).toEqual({ failed: [], refused: 2 });
    expect(refused).toEqual(['site: there is no site "elsewhere"', 'id: taken']);
  });

  it('brings a failed message again and leaves all that follow it in its group unsettled', async () => {
    failing.add('bad');
    const messages = [event('a', '1'), event('bad', '1'), event('c', '1'), event('d', '2')];
    const { failed } = await takeMessages(messages, intake);
    expect(failed).toEqual(messages.slice(1, 3).map(({ id }) => id));
  });

  it('refuses nothing behind a failure in its group, for it may only have missed what failed', async () => {
    failing.add('bad');
    const messages = [event('conflict', '1'), event('bad', '1'), event('conflict', '1'), text('{', '1')];
    expect(await takeMessages(messages, intake)).toEqual({
      failed: messages.slice(1).map(({ id }) => id),
      refused: 1,
    });
  });

  it('brings what was left again, with all that follows it', async () => {
    const messages = [event('a', '1'), event('left', '1'), event('c', '1')];
    expect((await takeMessages(messages, intake)).failed).toEqual(messages.slice(1).map(({ id }) => id));
  });

  it('brings all messages of a site again whose records could not be taken at all, and of no other', async () => {
    const messages = [event('a', '1', 'broken'), event('b', '2'), event('c', '3', 'broken')];
    expect((await takeMessages(messages, intake)).failed).toEqual([messages[0]?.id, messages[2]?.id]);
    expect(taken).toEqual(['default b']);
  });

  it('keeps a message that can be neither taken in nor put aside', async () => {
    const messages = [text('unrefusable', '1'), event('b', '1')];
    expect((await takeMessages(messages, intake)).failed).toEqual(messages.map(({ id }) => id));
  });
});

describe('a reason', () => {
  it('goes to the dead letters without what SQS does not take', () => {
    const long = '\u{1F600}'.repeat(700);
    expect(validSqsText('id: "\u0000\uFFFF\uD800" ä \u{1F600}\n')).toBe('id: "\uFFFD\uFFFD\uFFFD" ä \u{1F600}\n');
    expect(Buffer.byteLength(validSqsText(long))).toBe(2000);
    expect(Buffer.byteLength(validSqsText(`x${long}`))).toBe(1 + 4 * 499 + 3);
  });
});
