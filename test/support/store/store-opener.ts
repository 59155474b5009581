import { join } from 'node:path';
import { openDatabase } from '../../../infra/local/table/database.ts';
import { openLocks } from '../../../infra/local/table/locks.ts';

/** A process that opens and closes the table of a data folder TIMES times: `store-opener.ts FOLDER TIMES`. */
const [folder = '', times = ''] = process.argv.slice(2);
for (let n = 0; n < Number(times); n += 1) {
  await openDatabase(join(folder, 'table.mdb'), { mapSize: 2 ** 30 }).close();
  await openLocks(folder)?.close();
}
