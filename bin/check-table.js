// Checks the pages of a table: node check-table.js FILE [values]. It runs in a process of its own, as LMDB ends the
// process that meets a damaged page. Exits with 0 if every key can be read in order, else with 3 or by a signal.
import { dirname, join } from 'node:path';
import { open } from 'lmdb';

const [path = '', what] = process.argv.slice(2);
const TRIES = 10; // another process may write meanwhile

/** The number of keys that can be reached; undefined if they are not in order. */
function count(database) {
  let before;
  let found = 0;
  for (const entry of database.getRange({ values: what === 'values' })) {
    const key = entry.key ?? entry;
    if (before !== undefined && Buffer.compare(before, key) >= 0) return undefined;
    before = key;
    found += 1;
  }
  return found;
}

// The same options as in infra/local/table/database.ts.
const options = { path, mapSize: 2 ** 37, pageSize: 8192, maxReaders: 1024, overlappingSync: false };
const gate = open({ ...options, path: join(dirname(path), 'gate.mdb'), mapSize: 2 ** 20 });
const database = gate.transactionSync(() => open({ ...options, encoding: 'binary', keyEncoding: 'binary' }));
let whole = false;
for (let attempt = 0; attempt < TRIES && !whole; attempt += 1) {
  database.resetReadTxn();
  whole = count(database) === database.getStats().entryCount;
}
process.exit(whole ? 0 : 3);
