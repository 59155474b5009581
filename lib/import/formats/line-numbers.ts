import { TooManyEvents } from '../../history/cases/most-events.ts';
import { ImportFault } from './import-fault.ts';
import { shownName } from './input.ts';

/** A file whose reading has begun. */
export interface NumberedFile {
  readonly file: string;
  readonly before: number; // number of the last line of the files before
  readonly header?: string | undefined; // only of a CSV, unchanged
}

/** Numbers the lines of several files consecutively, so that each line has a number of its own. */
export interface LineNumbers {
  /** Begins the next file. */
  readonly begin: (file: string, header?: string) => NumberedFile;
  /** Returns the number of a line of the current file, whose lines count from 1. */
  readonly number: (line: number) => number;
  /** Returns the file and line of a number. */
  readonly of: (number: number) => { readonly file: string; readonly line: number };
  readonly header: (file: string) => string | undefined;
  /** Returns the files that were begun since its last call. */
  readonly news: () => readonly NumberedFile[];
  /** Adds files that were begun elsewhere, in another thread. */
  readonly follow: (begun: readonly NumberedFile[]) => void;
}

export function newLineNumbers(): LineNumbers {
  const files: NumberedFile[] = [];
  let highest = 0;
  let told = 0;
  return {
    begin: (file, header) => {
      const begun = { file, before: highest, header };
      files.push(begun);
      return begun;
    },
    number: (line) => {
      const number = line + (files.at(-1)?.before ?? 0);
      highest = Math.max(highest, number);
      return number;
    },
    of: (number) => {
      const numberedFile = files.findLast(({ before }) => before < number) ?? files[0];
      return { file: numberedFile?.file ?? '', line: number - (numberedFile?.before ?? 0) };
    },
    header: (file) => files.find((begun) => begun.file === file)?.header,
    news: () => {
      const fresh = files.slice(told);
      told = files.length;
      return fresh;
    },
    follow: (begun) => void files.push(...begun),
  };
}

/** The `ImportFault` for a case that has too many events, with its place in the file; any other error unchanged. */
export function placedFault(error: unknown, placeOf: LineNumbers['of']): unknown {
  if (!(error instanceof TooManyEvents)) return error;
  const place = error.line === undefined ? undefined : placeOf(error.line);
  const where = place === undefined ? '' : `${shownName(place.file)}, line ${place.line}: `;
  return new ImportFault(`${where}${error.message}. Is its column the right one for the case?`);
}
