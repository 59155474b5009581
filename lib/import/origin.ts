import type { Instant } from '../history/cases/event.ts';

/** The source of an import's events. */
export interface ImportOrigin {
  readonly source: string;
  readonly isChosen: boolean; // true: the user chose it; false: the default of the mapping or format
  readonly replaces: boolean; // a case's events in the file replace those that the source had of the case
  readonly parts?: readonly OriginPart[]; // if each file is a source of its own; `source` then names them together
  readonly asOf?: Instant; // time of the export, the second part of `as_of`
  readonly isComplete?: boolean; // the file has all cases of the source; the others are removed
}

/** One of several sources of an import. */
export interface OriginPart {
  readonly source: string;
  readonly replaces: boolean;
}

/** Returns the sources of an import: its parts, or the single one. */
export const originParts = ({ parts, source, replaces }: ImportOrigin): readonly OriginPart[] =>
  parts ?? [{ source, replaces }];

/** The import is refused because its source is closed, has another kind, or conflicts with sources of the site. */
export class OriginRefused extends Error {
  readonly reason: string;
  readonly isHeld: boolean; // another source has a case of the file

  /** `advice` is for the command line; only a refusal because of another source has it. */
  constructor(reason: string, advice?: string) {
    super(advice === undefined ? `${reason}.` : `${reason}: ${advice}.`);
    this.name = 'OriginRefused';
    this.reason = reason;
    this.isHeld = advice !== undefined;
  }
}
