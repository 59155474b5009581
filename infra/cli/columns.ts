/** Rows of texts as aligned columns under a header; the last column is not padded. */
export function columns(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows];
  const widths = header.map((_, place) => Math.max(...all.map((row) => [...(row[place] ?? '')].length)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, place) => cell + ' '.repeat((widths[place] ?? 0) - [...cell].length))
      .join('  ')
      .trimEnd();
  return all.map(line).join('\n');
}
