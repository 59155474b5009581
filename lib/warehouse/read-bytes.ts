import type { FactsRead } from '../insights/sql/statement.ts';
import { ALL_TIME } from '../insights/windows.ts';
import type { SiteManifest, WarehouseFile } from './manifest.ts';
import { monthFinder, monthName } from './months.ts';
import { TABLES } from './tables.ts';

/** The bytes that a statement reads of the files of a site: of its columns, in its months, once for each table of its report. */
export function factsBytes(files: SiteManifest['files'], reads: readonly FactsRead[]): number {
  const monthOf = monthFinder();
  const nameOf = (second: number): string =>
    monthName(monthOf(Math.min(Math.max(second, ALL_TIME.min), ALL_TIME.max - 1)));
  const all = Object.entries(files).map(([name, file]) => {
    const [of, month = ''] = name.split('/');
    return { of, month, file };
  });
  const bytesOf = ({ table, range, columns, times }: FactsRead): number => {
    const [first, last] = [nameOf(range.min), nameOf(range.max - 1)];
    const asked = TABLES[table].columns.map(({ name }) => columns.includes(name));
    const inFile = ({ bytes, columns: sizes }: WarehouseFile): number =>
      sizes?.reduce((sum, size, place) => sum + (asked[place] ? size : 0), 0) ?? bytes;
    const read = all.filter(({ of, month }) => of === table && month >= first && month <= last);
    return times * read.reduce((sum, { file }) => sum + inFile(file), 0);
  };
  return reads.reduce((sum, read) => sum + bytesOf(read), 0);
}
