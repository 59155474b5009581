/**
 * Makes a text that sorts by code points as its parts do. Events of the same time are ordered by id (docs/import/mappings.md),
 * so the ids that an import makes must sort like the file's rows. A number gets its number of digits as a prefix, `10`
 * → `210`, and sorts before any text.
 */
export function sortedKey(parts: readonly (string | number)[]): string {
  return parts.map(sortedPart).join(' ');
}

function sortedPart(part: string | number): string {
  const text = String(part);
  const digits = /^0*(\d{1,9})(\.\d+)?$/.exec(text);
  return digits === null ? `~${text}` : `${digits[1]?.length}${digits[1]}${digits[2] ?? ''}`;
}
