import type { Database } from './database.ts';

/** The version of the stored format. 1 was the database of an engine beside the service, `EARLIER`, which 1.0 converts. */
export const FORMAT = 2;
export const EARLIER = 'support.db';

const KEY = Buffer.concat([Buffer.of(0, 0), Buffer.from('format')]); // sorts before all items (keys.ts)

/** The format of a database; undefined in a new one. */
export function readFormat(database: Database): number | undefined {
  database.root.resetReadTxn();
  const stored = database.root.getBinary(KEY);
  return stored && Number(stored.toString());
}

/** Marks a database as complete and of this format. */
export async function writeFormat(database: Database): Promise<void> {
  await database.commit(() => database.root.put(KEY, Buffer.from(String(FORMAT))));
}
