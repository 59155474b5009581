import { parseInstant } from '../../../lib/history/cases/instant.ts';
import { type FormatOrigin, type ImportOrigin, importOrigin, type OriginChoice } from '../../../lib/import/origin.ts';
import { MAX_SOURCE } from '../../../lib/import/records/record-fields.ts';
import { Fault } from '../../fault.ts';
import { line, type OptionsOf, toggle } from '../command.ts';

/** The options about the source of a file's events (docs/import.md, Exports that come again). */
export const ORIGIN = {
  source: line('<name>', "where the events come from (default: the mapping's source, else the format)"),
  replace: toggle('events of a case in the file replace those that the source had for it before'),
  asOf: line('<time>', 'with --replace: when the export was made, so that a newer one wins in any order of imports'),
  complete: toggle('with --replace: the file has all cases of its source, so its other cases are removed'),
};

/** The origin of an import, `planned` if the options name none; undefined: the records name it. Throws a `Fault` for options that do not fit together. */
export function originOf(
  options: Partial<OptionsOf<typeof ORIGIN>>,
  format: FormatOrigin,
  planned: Pick<OriginChoice, 'source' | 'own'>,
): ImportOrigin | undefined {
  const { source = planned.source, replace, asOf, complete } = options;
  const misplaced = asOf !== undefined ? '--as-of' : complete ? '--complete' : undefined;
  if (!(replace ?? format.replaces) && misplaced !== undefined)
    throw new Fault(`${misplaced} is for --replace: add it.`, 2);
  if (source !== undefined && (source.trim() === '' || [...source].length > MAX_SOURCE))
    throw new Fault(`--source takes a name of 1 to ${MAX_SOURCE} characters.`, 2);
  const at = asOf === undefined ? undefined : parseInstant(asOf);
  if (asOf !== undefined && at === undefined)
    throw new Fault(`--as-of ${asOf} is not a time with an offset, such as 2026-03-01T00:00:00Z.`, 2);
  return importOrigin(format, { source, own: planned.own, replaces: replace, asOf: at, isComplete: complete });
}
