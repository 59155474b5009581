import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConditionFailed } from '../../../lib/store/faults.ts';
import { keys } from '../../../lib/store/keys.ts';
import { FIRST_COME, withLease } from '../../../lib/store/lease.ts';
import { tableAt } from '../service/table-at.ts';

/**
 * A process that competes for a lease until it has held it HOLDS times: `lease-holder.ts TABLE LEASE HOLDS HOLD`, with
 * LEASE and HOLD in ms. It prints `ready` and begins when standard input has data. While it holds the lease it puts a
 * witness item, which must not exist already. It prints a line for each try: `held`, `refused` or `TWO HOLDERS`.
 */
const [name = '', lease = '', holds = '', hold = ''] = process.argv.slice(2);
const table = tableAt(name);
const witness = { pk: 'witness', sk: 'witness' };

process.stdout.write('ready\n');
await once(process.stdin, 'data');
process.stdin.destroy();
for (let held = 0; held < Number(holds); ) {
  const outcome = await withLease(
    { table, key: keys.lock('acme'), owner: randomUUID(), now: Date.now, length: Number(lease) },
    FIRST_COME,
    async () => {
      try {
        await table.put({ ...witness, pid: process.pid }, { absent: true });
      } catch (error) {
        if (error instanceof ConditionFailed) return 'TWO HOLDERS';
        throw error;
      }
      process.stdout.write('holding\n');
      await sleep(Number(hold));
      await table.delete(witness);
      return 'held';
    },
  );
  if ('done' in outcome) held += 1;
  process.stdout.write(`${'done' in outcome ? outcome.done : 'refused'}\n`);
  await sleep(Math.random() * 2);
}
