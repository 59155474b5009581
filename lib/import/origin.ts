import type { Instant } from '../history/cases/event.ts';

/** Where an import says that its events come from. */
export interface ImportOrigin {
  readonly source: string;
  readonly isChosen: boolean; // by who imports; else it is the default of the mapping or format
  readonly replaces: boolean; // what the file has of a case takes the place of what the source had
  readonly parts?: readonly OriginPart[]; // of several files: all sources that their events name; `source` then names them all
  readonly asOf?: Instant; // of the export: second part of `as_of`
  readonly isComplete?: boolean; // the file has all cases of the source
}

/** A source of its own within an import. */
export interface OriginPart {
  readonly source: string;
  readonly replaces: boolean;
}

/** The sources of an import: each of its parts, or the one that there is. */
export const originParts = ({ parts, source, replaces }: ImportOrigin): readonly OriginPart[] =>
  parts ?? [{ source, replaces }];

/** Refused before anything is written: the source takes no events of this kind. */
export class OriginRefused extends Error {
  constructor(reason: string) {
    super(`${reason}.`);
    this.name = 'OriginRefused';
  }
}
