import type { Database } from './database.ts';

/** How items are stored. 1 was a database of the engine before, in a process of its own (earlier.ts). */
export const FORMAT = 2;

const KEY = Buffer.concat([Buffer.of(0, 0), Buffer.from('format')]); // before all items (keys.ts)

/** The format of what a database holds; undefined in a new one. */
export function readFormat(database: Database): number | undefined {
  database.root.resetReadTxn();
  const stored = database.root.getBinary(KEY);
  return stored && Number(stored.toString());
}

/** Says that a database is whole and of this format. */
export async function writeFormat(database: Database): Promise<void> {
  await database.commit(() => database.root.put(KEY, Buffer.from(String(FORMAT))));
}
