import type { CaseNotes } from './case-rows.ts';
import type { Columns } from './columns.ts';
import type { Mapping } from './mapping.ts';

const LISTED = 10; // most keys in a sentence
const MANY_ROWS = 10; // with so many rows, equal times of day are no coincidence
const QUARTER = 900_000_000; // µs: zones differ from UTC by whole quarters of an hour

/** Warns of surprising results of a mapping, such as unused keys and cases without a creation. */
export function noteMapping(
  mapping: Mapping,
  seen: { readonly columns: Columns; readonly notes: CaseNotes; readonly isPart: boolean },
): void {
  const { findings, unused, isLenient } = seen.columns;
  for (const [table, keys] of unused) {
    if (keys.size === 0 || seen.isPart || isLenient) continue; // mappings of packs have keys that many sites do not use
    const listed = [...keys].slice(0, LISTED).map((key) => JSON.stringify(key));
    const more = keys.size > LISTED ? ` and ${keys.size - LISTED} more` : '';
    findings.warn(`No row used these keys of the mapping's ${table}: ${listed.join(', ')}${more}.`);
  }
  if (mapping.kind === 'members') return;
  const { cases, notCreated, doneSinceUnknown, rows, alike, clocks } = seen.notes;
  if (notCreated > 0 && !seen.isPart) {
    findings.warn(
      `${notCreated} of ${cases} cases have no creation in this file: unless another file creates them, they count in no creation and have no durations.`,
    );
  }
  if (doneSinceUnknown > 0) {
    findings.warn(
      `${doneSinceUnknown} of ${cases} cases are resolved or closed, and the file does not say since when: they count in no resolve, have no time to resolution, and are not in the backlog.`,
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
