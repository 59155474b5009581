import type { Command } from 'commander';
import * as z from 'zod';
import { parseInstant } from '../../lib/history/cases/instant.ts';
import type { ImportOrigin } from '../../lib/import/origin.ts';
import { MAX_SOURCE } from '../../lib/import/records/fields.ts';
import type { FormatOrigin } from '../../lib/import/source.ts';
import { Fault } from '../fault.ts';

/** The options about the source of a file's events (docs/import.md, Exports that come again). */
export const originShape = {
  source: z.string().optional(),
  replace: z.boolean().optional(),
  asOf: z.string().optional(),
  complete: z.boolean().optional(),
};
type Given = z.infer<z.ZodObject<typeof originShape>>;

export const originOptions = (command: Command): Command =>
  command
    .option('--source <name>', "where the events come from (default: the mapping's source, else the format)")
    .option('--replace', 'events of a case in the file replace those that the source had for it before')
    .option(
      '--as-of <time>',
      'with --replace: when the export was made, so that a newer one wins in any order of imports',
    )
    .option('--complete', 'with --replace: the file has all cases of its source, so its other cases are removed');

/** The origin of an import; undefined: the records name it. Throws a `Fault` for options that do not fit together. */
export function originOf({ source, replace, asOf, complete }: Given, format: FormatOrigin): ImportOrigin | undefined {
  const replaces = replace ?? format.replaces;
  const misplaced = asOf !== undefined ? '--as-of' : complete ? '--complete' : undefined;
  if (!replaces && misplaced !== undefined) throw new Fault(`${misplaced} is for --replace: add it.`, 2);
  if (source !== undefined && (source.trim() === '' || [...source].length > MAX_SOURCE))
    throw new Fault(`--source takes a name of 1 to ${MAX_SOURCE} characters.`, 2);
  const { parts } = format;
  if (source === undefined && !replaces && !format.isNamed && parts === undefined) return undefined;
  const at = asOf === undefined ? undefined : parseInstant(asOf);
  if (asOf !== undefined && at === undefined)
    throw new Fault(`--as-of ${asOf} is not a time with an offset, such as 2026-03-01T00:00:00Z.`, 2);
  return {
    source: parts === undefined ? (source ?? format.source) : format.source,
    isChosen: source !== undefined,
    replaces,
    ...(parts === undefined ? {} : { parts: parts.map((part) => ({ ...part, replaces: replace ?? part.replaces })) }),
    ...(at === undefined ? {} : { asOf: at }),
    ...(complete ? { isComplete: true } : {}),
  };
}
