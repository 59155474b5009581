import { ImportFault } from '../import/formats/import-fault.ts';
import { lookupsIn } from '../import/mapping/lookups.ts';
import type { Mapping } from '../import/mapping/mapping.ts';
import { readMapping } from '../import/mapping/parse-mapping.ts';

/**
 * Parses a mapping sent over HTTP. It must not look up values in other files, since that would read files of this
 * machine. Throws `ImportFault`.
 */
export function readGivenMapping(fields: Readonly<Record<string, unknown>>, zone: string): Mapping {
  const mapping = readMapping(fields, 'The mapping', zone);
  if (lookupsIn(mapping).length === 0) return mapping;
  throw new ImportFault('The mapping looks up values in another file: only the command line can do that.');
}
