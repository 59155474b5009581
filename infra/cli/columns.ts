/** Rows of texts as aligned columns under a header, to the left or, where `right` says so, to the right. */
export function columns(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly boolean[] = [],
): string {
  const all = [header, ...rows];
  const widths = header.map((_, place) => all.reduce((most, row) => Math.max(most, widthOf(row[place] ?? '')), 0));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, place) => {
        const space = ' '.repeat((widths[place] ?? 0) - widthOf(cell));
        return right[place] ? space + cell : cell + space;
      })
      .join('  ')
      .trimEnd();
  return all.map(line).join('\n');
}

const widthOf = (text: string): number => [...text].length;
