import { TooManyEvents } from '../../history/cases/most-events.ts';

/**
 * Stops an import because of a user's mistake. The message says where it is and what to do; it is shown without a
 * stack.
 */
export class ImportFault extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'ImportFault';
  }
}

/** Returns the name of a file and the line in it, by the number of the line among all files. */
export type PlaceOfLine = (line: number) => { readonly file: string; readonly line: number };

/** The `ImportFault` for a case that has too many events, with its place in the file; any other error unchanged. */
export function placedFault(error: unknown, placeOf: PlaceOfLine): unknown {
  if (!(error instanceof TooManyEvents)) return error;
  const place = error.line === undefined ? undefined : placeOf(error.line);
  const where = place === undefined ? '' : `${place.file}, line ${place.line}: `;
  return new ImportFault(`${where}${error.message}. Is its column the right one for the case?`);
}
