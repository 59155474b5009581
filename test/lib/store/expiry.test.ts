import { auditItem, serviceEntry } from '../../../lib/access/audit.ts';
import { removeExpired } from '../../../lib/store/expiry.ts';
import { keys } from '../../../lib/store/keys.ts';
import { freshTable } from '../../support/service/table.ts';

const DAY = 86_400_000; // ms

it('removes what has ended, however much there is, and nothing else', async () => {
  const table = await freshTable();
  const entry = (at: number) => auditItem('a', serviceEntry({ action: 'create', resource: 'x' }, { id: `${at}`, at }));
  const items = Array.from({ length: 1200 }, (_, day) => entry(day * DAY));
  await table.batchWrite([...items, { ...keys.repeats('a', 'h'), ttl: 10 }].map((put) => ({ put })));
  await table.put({ ...keys.rate('b', 'h'), ttl: 10 });
  await table.put({ ...keys.user('a', 'ann'), ttl: 10 });
  const now = 1200 * DAY;
  expect(await removeExpired(table, 'a', now)).toBe(801 + 1);
  const left = await table.query(keys.audit('a').pk);
  expect([left.length, left[0]?.sk]).toEqual([399, items[801]?.sk]);
  expect(await removeExpired(table, 'a', now)).toBe(0);
  expect(await table.batchGet([keys.rate('b', 'h'), keys.user('a', 'ann')])).not.toContain(undefined);
});
