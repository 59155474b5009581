/**
 * A text whose order by code points is the order of the numbers or texts given: events of one time are ordered by
 * their id (docs/import.md), so the ids that an import makes have to sort as the file's rows do.
 * Whole numbers get their count of digits in front, `10` → `210`, and come before texts.
 */
export function sortedKey(parts: readonly (string | number)[]): string {
  return parts.map(sortedPart).join(' ');
}

function sortedPart(part: string | number): string {
  const text = String(part);
  const digits = /^0*(\d{1,9})(\.\d+)?$/.exec(text);
  return digits === null ? `~${text}` : `${digits[1]?.length}${digits[1]}${digits[2] ?? ''}`;
}
