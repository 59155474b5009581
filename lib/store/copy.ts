import { keys } from './keys.ts';
import type { Item, Table } from './table.ts';

const HOSTS = keys.host('').pk;

/** What makes sites visible: copied last, so that a copy that broke off shows nothing and can simply be made again. */
const shows = ({ pk }: Item): boolean => pk === keys.deployment().pk || pk.startsWith(HOSTS);

/**
 * Copies every item into a table without sites. Returns their number; undefined, and copies nothing, if the target has
 * sites already. What is written to the source meanwhile may be missing.
 */
export async function copyTable(source: Table, target: Table): Promise<number | undefined> {
  if ((await target.query(keys.deployment().pk)).length > 0) return undefined;
  const last: Item[] = [];
  let copied = 0;
  for await (const page of source.scan()) {
    const now = page.filter((item) => !shows(item));
    last.push(...page.filter(shows));
    await target.batchWrite(now.map((item) => ({ put: item })));
    copied += page.length;
  }
  await target.batchWrite(last.map((item) => ({ put: item })));
  return copied;
}
