import { NEW_SITE } from '../../../lib/access/site-fields.ts';
import { Failure } from '../../../lib/errors.ts';
import { bytesInResult, bytesOfEntries, REPLY_LIMIT } from '../../../lib/http/reply.ts';
import { metaOf, metaShape, roomInMeta, valueKey } from '../../../lib/insights/meta.ts';
import { NO_REFERENCE } from '../../../lib/insights/reference.ts';
import { macroItem } from '../../../lib/macros/macro.ts';
import { newMadeOnce } from '../../../lib/memo.ts';
import type { Collection } from '../../../lib/store/collection.ts';

const empty = (): Collection => ({ pk: 'x', version: 1, order: [], items: new Map(), views: newMadeOnce() });
const records = { channel: empty(), label: empty(), agent: empty(), group: empty(), article: empty() };
const site = { ...NEW_SITE, name: 'a', title: 'A', hosts: [] };

describe('the meta object', () => {
  it('names a macro that only history knows by its id', () => {
    const macros = empty();
    const item = macroItem(macros, { state: 'mentioned', id: 7 });
    macros.items.set(item.sk, item);
    const meta = metaOf(site, macros, { ...records, custom_field: empty() });
    expect(meta.macros).toEqual({ 7: { name: '7', deleted: false } });
  });

  it('has names for the members of every kind that reports name', () => {
    expect(Object.keys(metaShape().shape)).toEqual(expect.arrayContaining(Object.keys(NO_REFERENCE.names)));
  });

  it('is counted in the bytes that it takes', () => {
    const labels = Object.fromEntries(['a', 'é"\\', '日本'].map((name, id) => [String(id), { name, deleted: id > 0 }]));
    const bytes = bytesOfEntries(Object.entries(labels));
    expect(bytes).toBe(bytesInResult(JSON.stringify(labels)) - 2 + 1); // one comma more
  });

  it('that fits no reply is refused before it is made, and counted once a version', () => {
    function* endless(): Generator<[string, string]> {
      for (let id = 0; ; id += 1) yield [String(id), 'x'.repeat(1_000)];
    }
    expect(bytesOfEntries(endless())).toBeGreaterThan(REPLY_LIMIT);

    let read = 0;
    const counted = new Proxy(new Map(), {
      get(target, name) {
        if (name === 'values') read += 1;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    for (let id = 1; id <= 30_000; id += 1)
      counted.set(`item#${id}`, { pk: 'x', sk: `item#${id}`, id, name: `${id}`.padEnd(200, '-') });
    const large = { ...records, label: { ...empty(), items: counted }, custom_field: empty() };
    for (let turn = 0; turn < 3; turn += 1) {
      expect(() => roomInMeta(empty(), large)).toThrow(Failure);
      expect(read).toBe(1);
    }
    const small = { ...large, label: { ...empty(), items: new Map([...counted].slice(0, 20_000)) } };
    expect(() => roomInMeta(empty(), small)).not.toThrow();
  });

  it('keys a value by the first 16 hex digits of its SHA-256', () => {
    expect(valueKey(12, 'gold')).toBe('12:24d7f03d8dc3c366');
  });
});
