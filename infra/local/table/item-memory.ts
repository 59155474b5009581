import type { Key } from '../../../lib/store/keys.ts';
import type { Item } from '../../../lib/store/table.ts';
import { checkKey } from '../../../lib/store/values.ts';
import { encodeKey } from './keys.ts';

/** A key that was read, and the item that was found there, with its bytes, where it is worth remembering. */
export interface Known {
  readonly key: Key;
  readonly place: Buffer; // the key's bytes
  last?: { readonly stored: Buffer; readonly item: Item };
}

/**
 * What was read last, so that the few small items that every request reads (site, user, heads of collections) are decoded once.
 * Their bytes are read each time all the same, and an item is used again only where they are still the same, so it does not
 * matter who writes. Nobody changes an item that others may have: it is frozen.
 */
export interface ItemMemory {
  /** What is known of a key. Throws `Refused` for one that no table takes. */
  at(key: Key): Known;
  /** Remembers what was found. */
  keep(known: Known, stored: Buffer, item: Item): void;
  /** Forgets all where there is too much; for the beginning of a call, as within one a key stays the same object. */
  bound(): void;
}

const REMEMBERED = 2_000; // keys
const LARGEST = 1_024; // bytes of an item that is worth remembering

/** Nothing known yet. */
export function createItemMemory(): ItemMemory {
  const partitions = new Map<string, Map<string, Known>>(); // by pk, then by sk
  let count = 0;

  function add({ pk, sk }: Key): Known {
    const key = { pk, sk };
    checkKey(key);
    const known = { key, place: encodeKey(key) };
    const partition = partitions.get(pk);
    if (partition) partition.set(sk, known);
    else partitions.set(pk, new Map([[sk, known]]));
    count += 1;
    return known;
  }

  return {
    at: (key) => partitions.get(key.pk)?.get(key.sk) ?? add(key),
    keep(known, stored, item) {
      if (stored.length <= LARGEST && isFrozen(item)) known.last = { stored, item };
      else delete known.last;
    },
    bound() {
      if (count < REMEMBERED) return;
      partitions.clear();
      count = 0;
    },
  };
}

/** Freezes an item with all that is in it; bytes cannot be frozen. */
function isFrozen(value: object): boolean {
  if (ArrayBuffer.isView(value)) return false;
  Object.freeze(value);
  return Object.values(value).every((one) => typeof one !== 'object' || one === null || isFrozen(one));
}
