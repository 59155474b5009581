import { tableAt } from '../service/table-at.ts';

/** A process that exits in the middle of its writes: `store-leaver.ts FOLDER`. */
const table = tableAt(process.argv[2] ?? '');
setTimeout(() => process.exit(0), 20);
for (let n = 0; ; n += 1) await table.put({ pk: 'leaver', sk: `${n}` });
