/** Rows of texts as columns under a header, aligned to the left, or to the right where `right` is true; '' if there are none. */
export function columns(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly boolean[] = [],
): string {
  if (rows.length === 0) return '';
  const all = [header, ...rows];
  const widths = header.map((_, index) => all.reduce((most, row) => Math.max(most, widthOf(row[index] ?? '')), 0));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) => {
        const space = ' '.repeat((widths[index] ?? 0) - widthOf(cell));
        return right[index] ? space + cell : cell + space;
      })
      .join('  ')
      .trimEnd();
  return all.map(line).join('\n');
}

const widthOf = (text: string): number => [...text].length;
