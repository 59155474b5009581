import { type Key, keys } from './keys.ts';
import type { Item, Table } from './table.ts';

const HOSTS = keys.host('').pk;

/**
 * Whether an item makes a site visible. These items are copied last: if a copy breaks off, the target shows no site and
 * the copy can be repeated.
 */
const makesVisible = ({ pk }: Item): boolean => pk === keys.deployment().pk || pk.startsWith(HOSTS);

/**
 * Copies every item into a table without sites and returns their number; damaged ones are given to `onDamaged` and left
 * out. Returns undefined and copies nothing if the target has sites. Writes to the source during the copy may be missing.
 */
export async function copyTable(
  source: Table,
  target: Table,
  onDamaged?: (key: Key) => void,
): Promise<number | undefined> {
  if ((await target.query(keys.deployment().pk)).length > 0) return undefined;
  const last: Item[] = [];
  let copied = 0;
  for await (const page of source.scan(onDamaged)) {
    const now = page.filter((item) => !makesVisible(item));
    last.push(...page.filter(makesVisible));
    await target.batchWrite(now.map((item) => ({ put: item })));
    copied += page.length;
  }
  await target.batchWrite(last.map((item) => ({ put: item })));
  return copied;
}
