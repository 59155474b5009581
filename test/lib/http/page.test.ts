import { R_READ } from '../../../lib/access/roles.ts';
import { listReply } from '../../../lib/http/page.ts';
import { bytesInResult, REPLY_LIMIT } from '../../../lib/http/reply.ts';
import { route } from '../../../lib/http/route.ts';
import { itInProcess as it, startService } from '../../support/service/service.ts';
import { spin, turnsDuring } from '../../support/service/turns.ts';

interface Entry {
  readonly id: number;
  readonly text?: string;
  toJSON?(): unknown;
}

const state: { entries: readonly Entry[]; written: number } = { entries: [], written: 0 };
const { ask } = await startService([
  route({
    name: 'listThings',
    summary: 'For tests',
    reads: () => [],
    method: 'GET',
    path: '/api/v2/things',
    roles: R_READ,
    list: true,
    handle: (call) =>
      listReply(call, {
        path: '/api/v2/things',
        seeds: [state.entries.length, state.entries[0]?.text?.length],
        members: () => state.entries,
        show: (entry) => entry,
      }),
  }),
]);
const numbered = (count: number, text: string): Entry[] =>
  Array.from({ length: count }, (_, n) => ({ id: n + 1, text }));

describe('a page', () => {
  it('is written once, and others have turns while it is', async () => {
    state.entries = Array.from({ length: 5 }, (_, n) => ({
      id: n + 1,
      toJSON: () => {
        spin();
        state.written += 1;
        return { id: n + 1 };
      },
    }));
    const turns = await turnsDuring(() => ask('GET', '/api/v2/things'));
    expect(turns).toBeGreaterThanOrEqual(5);
    expect(state.written).toBe(5);
  });

  it.each([
    ['letters', 'x'.repeat(200_000)],
    ['quotation marks, which count twice', '"'.repeat(100_000)],
    ['letters of three bytes', '字'.repeat(70_000)],
  ])('has as many entries of %s as fit a reply in even steps, and the rest are on the next ones', async (_, text) => {
    state.entries = numbered(45, text);
    const seen: number[] = [];
    let pages = 0;
    for (let next: string | undefined = '/api/v2/things'; next !== undefined; pages += 1) {
      const { body, text: whole } = await ask('GET', next);
      expect(bytesInResult(whole)).toBeLessThanOrEqual(REPLY_LIMIT);
      seen.push(...body._embedded.entries.map(({ id }: Entry) => id));
      next = body._links.next?.href;
    }
    expect(seen).toEqual(state.entries.map(({ id }) => id));
    expect(pages).toBe(5); // of 10
  });

  it('has one entry where none fits with another', async () => {
    state.entries = numbered(3, 'x'.repeat(5_200_000));
    const { body } = await ask('GET', '/api/v2/things');
    expect([body._embedded.entries.length, body._links.last.href]).toEqual([1, '/api/v2/things?page=3&per_page=1']);
  });
});
