import { keys } from './keys.ts';
import type { Table } from './table.ts';

/** The partitions of a site whose items end by themselves. DynamoDB removes these by `ttl`; a table on a disk does not. */
const ending = (site: string): string[] => [
  keys.guesses(site, '', '').pk,
  keys.rate(site, '').pk,
  keys.repeats(site, '').pk,
  keys.audit(site).pk,
];

const AT_ONCE = 500; // items looked at before others may have the table

/** Removes what has ended; `now` in epoch ms. Returns how many items went. */
export async function removeEnded(table: Table, site: string, now: number): Promise<number> {
  let removed = 0;
  for (const pk of ending(site)) {
    let from: string | undefined;
    for (;;) {
      const page = { attributes: ['ttl'], limit: AT_ONCE, ...(from === undefined ? {} : { from }) };
      const items = await table.query(pk, page);
      const ended = items.filter(({ ttl }) => typeof ttl === 'number' && ttl * 1000 <= now);
      await table.batchWrite(ended.map(({ sk }) => ({ delete: { pk, sk } })));
      removed += ended.length;
      if (items.length < AT_ONCE) break;
      from = items.at(-1)?.sk;
    }
  }
  return removed;
}
