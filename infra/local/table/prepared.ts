import { keyOf } from '../../../lib/store/batches.ts';
import type { Condition } from '../../../lib/store/condition.ts';
import type { Key } from '../../../lib/store/keys.ts';
import type { Write } from '../../../lib/store/table.ts';
import { checkKey, checkValues } from '../../../lib/store/values.ts';
import { type Encoded, encodeItem } from './codec.ts';
import { encodeKey } from './keys.ts';
import { checkSize } from './limits.ts';

/** A write that was checked, ready to be done under the lock of writers. */
export interface Prepared {
  readonly kind: 'put' | 'delete' | 'check';
  readonly key: Key;
  readonly place: Buffer; // the key's bytes
  readonly encoded: Encoded | undefined; // of what is put
  readonly when: Condition | undefined;
}

/** Checks a write and encodes what it puts. Throws `Refused` where DynamoDB would not take it. */
export function prepare(write: Write): Prepared {
  const key = keyOf(write);
  if (!('put' in write)) checkKey(key);
  const kind = 'put' in write ? 'put' : 'delete' in write ? 'delete' : 'check';
  return {
    kind,
    key,
    place: encodeKey(key),
    encoded: 'put' in write ? encode(write.put) : undefined,
    when: write.when,
  };
}

function encode(item: Extract<Write, { put: unknown }>['put']): Encoded {
  checkValues(item);
  const encoded = encodeItem(item);
  checkSize(encoded.size);
  return encoded;
}

/** The bytes that a transaction's limit counts of a write. */
export const writeWeight = ({ encoded, key }: Prepared): number =>
  encoded?.size ?? Buffer.byteLength(key.pk) + Buffer.byteLength(key.sk);
