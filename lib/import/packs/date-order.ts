import { ImportFault } from '../formats/import-fault.ts';
import type { Mapping } from '../mapping/mapping.ts';
import type { CsvSample } from '../sniff.ts';

const DAY_FIRST = /^d{1,2}([-/.])M{1,2}\1/;
const MONTH_FIRST = /^M{1,2}([-/.])d{1,2}\1/;
const DATE = /^(\d{1,2})([-/.])(\d{1,2})\2\d{2,4}/;

/**
 * Keeps of a mapping's formats those of one order of day and month, which the rows of the file show: one order holds for
 * the whole file. Throws `ImportFault` if the mapping takes both orders of a date as the file writes it, and no row shows
 * which it is.
 */
export function withOneOrder(mapping: Mapping, sample: CsvSample | undefined, name: string): Mapping {
  const formats = [mapping.time.format ?? []].flat();
  const parting = (order: RegExp): readonly string[] => formats.flatMap((one) => order.exec(one)?.[1] ?? []);
  const parts = parting(DAY_FIRST).filter((one) => parting(MONTH_FIRST).includes(one));
  if (sample === undefined || parts.length === 0) return mapping;
  let example: string | undefined;
  const met = { day: false, month: false };
  for (const cell of sample.rows.flat()) {
    const [text, first, part = '', second] = DATE.exec(cell) ?? [];
    if (text === undefined) continue;
    if (parts.includes(part)) example ??= cell;
    if (Number(first) > 12) met.day = true;
    if (Number(second) > 12) met.month = true;
  }
  if (example === undefined) return mapping;
  if (met.day === met.month) {
    throw new ImportFault(
      `The dates of ${name}, such as ${example}, may have the day or the month first, and ${met.day ? 'its rows show both' : 'no row shows which'}: export them as yyyy-MM-dd, or import with a mapping.`,
    );
  }
  const others = met.day ? MONTH_FIRST : DAY_FIRST;
  return { ...mapping, time: { ...mapping.time, format: formats.filter((one) => !others.test(one)) } };
}
