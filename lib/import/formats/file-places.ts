/** A file that a reading has begun with. */
export interface BegunFile {
  readonly file: string;
  readonly before: number; // the number that its lines count on from
  readonly header?: string; // of a CSV, as it came
}

/** Lines of several files as one row of numbers, so that each has one number of its own. */
export interface FilePlaces {
  /** Goes on with another file. */
  readonly begin: (file: string, header?: string) => BegunFile;
  /** The number of a line of the present file, which counts from 1. */
  readonly number: (line: number) => number;
  /** File and line of a number. */
  readonly of: (number: number) => { readonly file: string; readonly line: number };
  readonly header: (file: string) => string | undefined;
  /** The files that were begun since this was called last. */
  readonly news: () => readonly BegunFile[];
  /** Takes over the files that other places have begun. */
  readonly follow: (begun: readonly BegunFile[]) => void;
}

export function newFilePlaces(): FilePlaces {
  const files: BegunFile[] = [];
  let highest = 0;
  let told = 0;
  return {
    begin: (file, header) => {
      const begun = { file, before: highest, ...(header === undefined ? {} : { header }) };
      files.push(begun);
      return begun;
    },
    number: (line) => {
      const number = line + (files.at(-1)?.before ?? 0);
      highest = Math.max(highest, number);
      return number;
    },
    of: (number) => {
      const found = files.findLast(({ before }) => before < number) ?? files[0];
      return { file: found?.file ?? '', line: number - (found?.before ?? 0) };
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
