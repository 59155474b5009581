import type { Instant } from '../history/cases/event.ts';
import type { Telling } from '../vocabulary.ts';

/** The source of an import's events. */
export interface ImportOrigin {
  readonly source: string;
  readonly isChosen: boolean; // true: the user chose it; false: the default of the mapping or format
  readonly replaces: boolean; // a case's events in the file replace those that the source had of the case
  readonly tells?: readonly Telling[] | undefined; // what its events can tell; of several parts each says its own
  readonly parts?: readonly OriginPart[] | undefined; // if each file is a source of its own; `source` then names them together
  readonly asOf?: Instant | undefined; // time of the export, the second part of `as_of`
  readonly isComplete?: boolean | undefined; // the file has all cases of the source; the others are removed
}

/** One of several sources of an import. */
export interface OriginPart {
  readonly source: string;
  readonly replaces: boolean;
  readonly tells?: readonly Telling[] | undefined;
}

/** The default source of a format's events. */
export interface FormatOrigin {
  readonly source: string; // the mapping's source, else the format's name
  readonly isNamed: boolean; // events carry the source even if the import only appends
  readonly replaces: boolean;
  readonly tells: readonly Telling[]; // what the format, with the columns of its file, can tell
  readonly parts?: readonly OriginPart[] | undefined; // only of a pack: its events name one of these
}

/** What a person, or the way of the import, says about the source of its events. */
export interface OriginChoice {
  readonly source?: string | undefined; // chosen by a person
  readonly own?: string | undefined; // a source for this import alone, unless a person chose one
  readonly replaces?: boolean | undefined; // absent: as the format does
  readonly asOf?: Instant | undefined;
  readonly isComplete?: boolean | undefined;
}

/**
 * The origin of an import's events; undefined: the records name it. A file that replaces whole cases is refused if
 * another source holds them, unless a person chose its source.
 */
export function importOrigin(format: FormatOrigin, choice: OriginChoice): ImportOrigin | undefined {
  const { source, own, asOf, isComplete } = choice;
  const replaces = choice.replaces ?? format.replaces;
  const parts = format.parts?.map((part) => ({ ...part, replaces: choice.replaces ?? part.replaces }));
  const isNamed = format.isNamed || parts !== undefined;
  if (source === undefined && own === undefined && !replaces && !isNamed) return undefined;
  return {
    source: own === undefined && parts !== undefined ? format.source : (source ?? own ?? format.source),
    isChosen: source !== undefined || (own !== undefined && !replaces),
    replaces,
    tells: format.tells,
    parts,
    asOf,
    isComplete,
  };
}

/** Returns the sources of an import: its parts, or the single one. */
export const originParts = ({ parts, source, replaces, tells }: ImportOrigin): readonly OriginPart[] =>
  parts ?? [{ source, replaces, tells }];

/** The import is refused because its source is closed, has another kind, or conflicts with sources of the site. */
export class OriginRefused extends Error {
  readonly reason: string;
  readonly isHeld: boolean; // another source has a case of the file

  /** `advice` is for the command line. */
  constructor(reason: string, advice?: string, isHeld = false) {
    super(advice === undefined ? `${reason}.` : `${reason}: ${advice}.`);
    this.name = 'OriginRefused';
    this.reason = reason;
    this.isHeld = isHeld;
  }
}
