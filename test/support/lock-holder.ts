import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../lib/store/client.ts';
import { ConditionFailed } from '../../lib/store/faults.ts';
import { withLock } from '../../lib/store/lock.ts';
import { openTable } from '../../lib/store/table.ts';

/**
 * A process that competes for a lock: `node --import tsx lock-holder.ts TABLE LEASE ROUNDS HOLD`, times in ms. While it holds
 * the lock it stands at a witness item, where nobody else may stand. Prints a line a round: `held`, `refused` or `TWO HOLDERS`.
 */
const [name = '', lease = '', rounds = '', hold = ''] = process.argv.slice(2);
const table = openTable(connect({ endpoint: process.env.TEST_ENDPOINT, local: true }), name);
const witness = { pk: 'witness', sk: 'witness' };

for (let round = 0; round < Number(rounds); round += 1) {
  const outcome = await withLock(
    table,
    { key: { pk: 'lock', sk: 'lock' }, owner: randomUUID(), now: Date.now, length: Number(lease) },
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
  process.stdout.write(`${'done' in outcome ? outcome.done : 'refused'}\n`);
  await sleep(Math.random() * 2);
}
