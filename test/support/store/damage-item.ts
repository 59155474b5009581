import { join } from 'node:path';
import { TABLE_FILE } from '../../../infra/local/table/data-folder.ts';
import { openDatabase } from '../../../infra/local/table/database.ts';
import { encodeKey } from '../../../infra/local/table/keys.ts';
import { certain } from '../../../lib/certain.ts';
import type { Key } from '../../../lib/store/keys.ts';

/** Flips a bit in the middle of a stored item, in a data folder that no process has open, as a failing disk does. */
export async function damageItem(folder: string, key: Key): Promise<void> {
  const { root, commit, close } = openDatabase(join(folder, TABLE_FILE));
  const stored = certain(root.getBinary(encodeKey(key)));
  const middle = stored.length >> 1;
  stored.writeUInt8(stored.readUInt8(middle) ^ 1, middle);
  await commit(() => root.put(encodeKey(key), stored));
  await close();
}
