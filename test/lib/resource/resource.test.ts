import * as z from 'zod';
import { R_READ } from '../../../lib/access/roles.ts';
import { change } from '../../../lib/resource/change.ts';
import { flag, json, nameText, ref, type ShownOf, type ThingOf, times, word } from '../../../lib/resource/field.ts';
import { formOf, resource } from '../../../lib/resource/resource.ts';
import { routesOf } from '../../../lib/resource/routes.ts';
import { thingsIn } from '../../../lib/resource/storing.ts';
import { createCollections } from '../../../lib/store/collection.ts';
import { keys, members } from '../../../lib/store/keys.ts';
import { itInProcess, startService } from '../../support/service/service.ts';
import { freshTable } from '../../support/service/table.ts';

const shelves = { one: 'shelf', path: '/api/v2/shelves', storing: thingsIn(keys.boards, members.board) };

/** A book on a shelf, one line a field. */
const BOOKS = resource({
  one: 'book',
  path: '/api/v2/books',
  storing: thingsIn(keys.alerts, members.alert),
  roles: R_READ,
  fields: {
    name: nameText({ required: true }),
    shelf: ref(shelves, { required: true }),
    size: word(['small', 'large'], { usual: 'small' }),
    lent: flag({ usual: false }),
    words: {
      ...json({ value: z.array(z.string()), body: z.array(z.string(), 'invalid'), shown: () => z.array(z.string()) }),
      usual: () => [],
    },
    since: { stored: z.number(), usual: 5 },
    ...times(),
  },
  writes: { limit: 'alerts', roles: R_READ, deletes: true, examples: [{}, {}] },
});

const book = { name: 'Walden', shelf: 1 };
const { ask, table, site } = await startService(routesOf(BOOKS));
const put = (item: object) => table.put({ ...keys.boards(site.name), sk: 'board#1', id: 1, ...item });

describe('a table of fields', () => {
  itInProcess('gives body, stored form, reply and links', async () => {
    await put({});
    await table.put({ ...keys.head(keys.boards(site.name)), version: 1 });
    const made = await ask('POST', BOOKS.path, { body: { ...book, words: ['pond'] } });
    const { id } = made.body;
    expect(made.body).toMatchObject({ ...book, size: 'small', lent: false, words: ['pond'] });
    expect(made.body).not.toHaveProperty('since');
    expect(made.body._links).toEqual({
      self: { href: `${BOOKS.path}/${id}`, class: 'book' },
      shelf: { href: '/api/v2/shelves/1', class: 'shelf' },
    });
    expect(BOOKS.shape().safeParse(made.body).success).toBe(true);
    const stored = await table.get({ ...keys.alerts(site.name), sk: members.alert(id) });
    expect(stored).toMatchObject({ ...book, size: 'small', lent: false, words: '["pond"]', since: 5 });
  });

  itInProcess('refuses what is missing, of another kind, or names nothing', async () => {
    const refused = await ask('POST', BOOKS.path, { body: { shelf: 9, size: 'huge' } });
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { name: ['blank'], size: ['invalid'], shelf: ['not_found'] },
    ]);
  });

  it('gives a stored thing without a field its usual value', () => {
    const item = { pk: 'p', sk: 's', id: 3, name: null, shelf: 1, created_at: 1, updated_at: 1 };
    const read: ThingOf<typeof BOOKS.fields> = BOOKS.parse(item);
    expect(read).toEqual({
      ...{ id: 3, name: '3', shelf: 1, size: 'small', lent: false, words: [], since: 5 },
      ...{ created_at: 1, updated_at: 1 },
    });
    expect(() => BOOKS.parse({ ...item, shelf: null })).toThrow(z.ZodError);
  });

  it('says what changes a thing apart from what creates it', () => {
    const { body, update, required, parse } = formOf({
      name: nameText({ required: true }),
      made: { body: z.number(), update: null },
      action: { update: z.string() },
      size: { stored: z.number().optional(), body: z.number(), update: z.string() },
    });
    expect([Object.keys(body), Object.keys(update), required]).toEqual([
      ['name', 'made', 'size'],
      ['name', 'action', 'size'],
      ['name'],
    ]);
    expect([body.size.safeParse('1').success, update.size.safeParse('1').success]).toEqual([false, true]);
    expect(Object.keys(parse({ name: 'Walden' }))).toEqual(['name']); // what is stored of none is no field
  });

  it('types what replies show', () => {
    const shown: Pick<ShownOf<typeof BOOKS.fields>, 'size' | 'words'> = { size: 'large', words: ['a'] };
    expect(BOOKS.shape().safeParse({ ...shown }).success).toBe(false);
  });
});

describe('a change', () => {
  it('writes many things in as few transactions as they fit, with order and count of ids', async () => {
    const own = await freshTable();
    const collections = createCollections();
    const sizes: number[] = [];
    const writer = {
      ...{ now: 1, site: { name: 'acme' } },
      open: async ({ pk }: { readonly pk: string }) => collections.open(own, { pk }, await own.get(keys.head({ pk }))),
      commit: async (changes: Parameters<typeof collections.commit>[1]) => {
        sizes.push(changes[0]?.put?.length ?? 0);
        await collections.commit(own, changes);
      },
    };
    const { pk } = keys.alerts('acme');
    const items = Array.from({ length: 200 }, (_, n) => ({ pk, sk: members.alert(n + 1), id: n + 1 }));
    const { storing } = BOOKS;
    const collection = await writer.open({ pk });
    await change(writer, [{ collection, storing, edits: items.map((after) => ({ before: undefined, after })) }]);
    expect(sizes).toEqual([93, 93, 14]);
    const [first, ...rest] = items;
    const same = rest.map((after) => ({ before: after, after: { ...after } }));
    await change(writer, [{ collection, storing, edits: [...same, { before: first, after: undefined }] }]);
    expect(sizes).toEqual([93, 93, 14, 0]);
    const { order, items: left } = await writer.open({ pk });
    expect([order.length, left.size, order[0]]).toEqual([199, 199, 2]);
    expect((await writer.open(keys.ids('acme'))).version).toBe(200);
  });
});
