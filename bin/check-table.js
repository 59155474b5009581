// Checks a table through LMDB: node check-table.js FILE [values]. It runs in a process of its own, as LMDB ends the
// process that meets a damaged page. Exits with 0 if every key can be read in order, and on request every page too; with
// 3 if keys are missing or in disorder, or by a signal. Prints the number of the last commit.
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { open } from 'lmdb';

const [path = '', what] = process.argv.slice(2);
const TRIES = 10; // another process may write meanwhile
const OK = 0;
const DISORDER = 3;

// The same options as in infra/local/table/database.ts.
const options = { path, mapSize: 2 ** 37, pageSize: 8192, maxReaders: 1024, overlappingSync: false };
const gate = open({ ...options, path: join(dirname(path), 'gate.mdb'), mapSize: 2 ** 20 });
const database = gate.transactionSync(() => open({ ...options, encoding: 'binary', keyEncoding: 'binary' }));

function check() {
  const { entryCount, pageSize, lastPageNumber } = database.getStats();
  // Free pages may be missing at the end of a file, others not: then each value is touched.
  const values = what === 'values' || (lastPageNumber + 1) * pageSize > statSync(path).size;
  let before;
  let found = 0;
  for (const entry of database.getRange({ values })) {
    const key = entry.key ?? entry;
    if (before !== undefined && Buffer.compare(before, key) >= 0) return DISORDER;
    before = key;
    found += 1;
  }
  return found === entryCount ? OK : DISORDER;
}

let outcome = DISORDER;
for (let attempt = 0; attempt < TRIES && outcome === DISORDER; attempt += 1) {
  database.resetReadTxn();
  outcome = check();
}
process.stdout.write(`${database.getStats().lastTxnId}\n`, () => process.exit(outcome));
