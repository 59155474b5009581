import { keys } from './keys.ts';
import type { Table } from './table.ts';

/** The partitions of a site whose items expire. DynamoDB removes these by `ttl`; a table on a disk does not. */
const expiring = (site: string): string[] => [
  keys.guesses(site, '', '').pk,
  keys.rate(site, '').pk,
  keys.repeats(site, '').pk,
  keys.audit(site).pk,
  keys.tokens(site).pk, // sessions
];

const AT_ONCE = 500; // items in one query, so that other requests can use the table in between

/** Removes expired items and returns their number; `now` in epoch ms. */
export async function removeExpired(table: Table, site: string, now: number): Promise<number> {
  let removed = 0;
  for (const pk of expiring(site)) {
    let from: string | undefined;
    for (;;) {
      const items = await table.query(pk, { attributes: ['ttl'], limit: AT_ONCE, from });
      const expired = items.filter(({ ttl }) => typeof ttl === 'number' && ttl * 1000 <= now);
      await table.batchWrite(expired.map(({ sk }) => ({ delete: { pk, sk } })));
      removed += expired.length;
      if (items.length < AT_ONCE) break;
      from = items.at(-1)?.sk;
    }
  }
  return removed;
}
