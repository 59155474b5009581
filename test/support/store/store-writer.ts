import { ConditionFailed } from '../../../lib/store/faults.ts';
import { tableAt } from '../service/table-at.ts';

/**
 * A process that writes to a table of the tests until it has made WRITES writes or is killed: `store-writer.ts TABLE
 * NAME WRITES KIND`. All its partition keys end with KIND. Each transaction raises a counter that all processes share,
 * and adds an item and its twin. It prints the number of each write as soon as the write is acknowledged.
 */
const [name = '', writer = '', writes = '', kind = ''] = process.argv.slice(2);
const table = tableAt(name);
const counter = { pk: `counter${kind}`, sk: 'counter' };

for (let n = 0; n < Number(writes); ) {
  const version = Number((await table.get(counter))?.version ?? 0);
  const when = version === 0 ? ({ absent: true } as const) : { attribute: 'version', equals: version };
  try {
    await table.transact([
      { put: { ...counter, version: version + 1 }, when },
      { put: { pk: `${writer}${kind}`, sk: `${n}`, text: 'x'.repeat((n % 7) * 3000) } },
      { put: { pk: `${writer} twin${kind}`, sk: `${n}` } },
    ]);
    process.stdout.write(`${n}\n`);
    n += 1;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
process.exit(0);
