import { type LocalTime, lastDay } from '../model/period.ts';
import type { Sheet } from '../model/sheet.ts';

/** The forms in which the table on the screen is exported. */
export type SheetForm = 'xlsx' | 'comma' | 'semicolon';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** What a table is named after: a thing, and the first and the last day that is counted. */
interface SheetSubject {
  readonly thing: string;
  readonly min: string;
  readonly until: LocalTime;
}

/** Lets the browser save tables as one file. What writes it is loaded when it is first needed. */
export async function saveSheets(
  sheets: readonly Sheet[],
  form: SheetForm,
  { thing, min, until }: SheetSubject,
): Promise<void> {
  const name = fileName(`${thing} ${min.slice(0, 10)} ${lastDay(until)}`, form === 'xlsx' ? form : 'csv');
  if (form !== 'xlsx') {
    const { sheetCsv } = await import('../model/sheet.ts');
    return saveFile(
      new Blob(
        sheets.map((sheet) => sheetCsv(sheet, form)),
        { type: 'text/csv' },
      ),
      name,
    );
  }
  const { toXlsx } = await import('../model/xlsx.ts');
  saveFile(new Blob([new Uint8Array(await toXlsx(sheets))], { type: XLSX }), name);
}

/** Lets the browser save a file. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A name for a file from words, without what a file system or a shell would stumble over. */
export const fileName = (words: string, ending: string): string =>
  `${words.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')}.${ending}`;
