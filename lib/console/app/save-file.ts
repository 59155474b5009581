import { type LocalTime, lastDay } from '../model/period.ts';
import type { Sheet } from '../model/sheet.ts';

/** The forms in which the table on the screen is exported. */
export type SheetForm = 'xlsx' | 'csv';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** What a table is named after: a thing, and the first and the last day that is counted. */
interface SheetSubject {
  readonly thing: string;
  readonly min: string;
  readonly until: LocalTime;
}

/** Lets the browser save a table as a file. What writes it is loaded when it is first needed. */
export async function saveSheet(sheet: Sheet, form: SheetForm, { thing, min, until }: SheetSubject): Promise<void> {
  const name = fileName(`${thing} ${min.slice(0, 10)} ${lastDay(until)}`, form);
  if (form === 'csv') {
    const { sheetCsv } = await import('../model/sheet.ts');
    return saveFile(new Blob([sheetCsv(sheet)], { type: 'text/csv' }), name);
  }
  const { toXlsx } = await import('../model/xlsx.ts');
  saveFile(new Blob([new Uint8Array(await toXlsx([sheet]))], { type: XLSX }), name);
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
