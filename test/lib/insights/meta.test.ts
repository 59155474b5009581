import { describe, expect, it } from '@jest/globals';
import { NEW_SITE } from '../../../lib/access/sites.ts';
import { metaOf, valueKey } from '../../../lib/insights/meta.ts';
import { macroItem } from '../../../lib/macros/macro.ts';
import { newMadeOnce } from '../../../lib/made-once.ts';
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

  it('keys a value by the first 16 hex digits of its SHA-256', () => {
    expect(valueKey(12, 'gold')).toBe('12:24d7f03d8dc3c366');
  });
});
