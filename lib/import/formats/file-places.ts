/** Lines of several files as one row of numbers, so that each has one number of its own. */
export interface FilePlaces {
  /** Goes on with another file. */
  readonly begin: (file: string) => void;
  /** The number of a line of the present file, which counts from 1. */
  readonly number: (line: number) => number;
  /** File and line of a number. */
  readonly of: (number: number) => { readonly file: string; readonly line: number };
}

export function newFilePlaces(): FilePlaces {
  const files: { readonly file: string; readonly before: number }[] = [];
  let highest = 0;
  return {
    begin: (file) => void files.push({ file, before: highest }),
    number: (line) => {
      const number = line + (files.at(-1)?.before ?? 0);
      highest = Math.max(highest, number);
      return number;
    },
    of: (number) => {
      const found = files.findLast(({ before }) => before < number) ?? files[0];
      return { file: found?.file ?? '', line: number - (found?.before ?? 0) };
    },
  };
}
