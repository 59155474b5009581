import type { CaseNotes } from './case-rows.ts';
import type { Columns } from './columns.ts';
import type { Mapping } from './mapping.ts';

const LISTED = 10; // keys in a sentence
const MANY_ROWS = 10; // from which on equal times of the day are no chance
const QUARTER = 900_000_000; // µs: zones differ from UTC by whole quarters of an hour

/** Says what a mapping did that may surprise: what nothing used, and what no row brought. */
export function noteMapping(
  mapping: Mapping,
  seen: { readonly columns: Columns; readonly notes: CaseNotes; readonly isPart: boolean },
): void {
  const { findings, unused, isLenient } = seen.columns;
  for (const [table, keys] of unused) {
    if (keys.size === 0 || seen.isPart || isLenient) continue; // a pack knows more than any one site has
    const listed = [...keys].slice(0, LISTED).map((key) => JSON.stringify(key));
    const more = keys.size > LISTED ? ` and ${keys.size - LISTED} more` : '';
    findings.warn(`No row used these keys of the mapping's ${table}: ${listed.join(', ')}${more}.`);
  }
  if (mapping.kind === 'members') return;
  const { cases, notCreated, rows, alike, clocks } = seen.notes;
  if (notCreated > 0 && !seen.isPart) {
    findings.warn(
      `${notCreated} of ${cases} cases have no creation in this file: unless another file creates them, they count in no creation and have no durations.`,
    );
  }
  if (alike > 0) {
    findings.warn(
      `${alike} rows have the same time as another row of their case, and the mapping has no "order", so the order of lines decides. (Write "order": "descending" if the file has its newest rows first.)`,
    );
  }
  const isMidnight = rows >= MANY_ROWS && clocks.size <= 2 && [...clocks].every((clock) => clock % QUARTER === 0);
  if (isMidnight) findings.warn('All times have the same time of day, so the column seems to hold days, not times.');
}
