import { keyOf } from '../../../lib/store/batches.ts';
import type { Condition } from '../../../lib/store/condition.ts';
import type { Key } from '../../../lib/store/keys.ts';
import type { Write } from '../../../lib/store/table.ts';
import { checkKey, checkValues } from '../../../lib/store/values.ts';
import { type Encoded, encodeItem } from './codec.ts';
import { encodeKey } from './keys.ts';
import { checkSize } from './limits.ts';

/** A checked and encoded write, ready to be done under the writers' lock. */
export interface Prepared {
  readonly kind: 'put' | 'delete' | 'check';
  readonly key: Key;
  readonly keyBytes: Buffer; // the encoded key
  readonly encoded: Encoded | undefined; // the item of a put
  readonly when: Condition | undefined;
}

/** Checks a write and encodes its item. Throws `Refused` if DynamoDB would reject it. */
export function prepare(write: Write): Prepared {
  const key = keyOf(write);
  if (!('put' in write)) checkKey(key);
  const keyBytes = encodeKey(key);
  const kind = 'put' in write ? 'put' : 'delete' in write ? 'delete' : 'check';
  return {
    kind,
    key,
    keyBytes,
    encoded: 'put' in write ? encode(write.put, keyBytes) : undefined,
    when: write.when,
  };
}

function encode(item: Extract<Write, { put: unknown }>['put'], keyBytes: Buffer): Encoded {
  checkValues(item);
  const encoded = encodeItem(item, keyBytes);
  checkSize(encoded.size);
  return encoded;
}

/** The bytes of a write that count towards a transaction's limit. */
export const writeWeight = ({ encoded, key }: Prepared): number =>
  encoded?.size ?? Buffer.byteLength(key.pk) + Buffer.byteLength(key.sk);
