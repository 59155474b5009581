import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readStart } from './file-start.ts';
import type { Dialect } from './formats/csv.ts';
import { ImportFault } from './formats/import-fault.ts';
import { findInputs } from './formats/inputs.ts';
import type { KnownCasesSlot, MappedFile } from './formats/mapped.ts';
import type { Mapping } from './formats/mapping.ts';
import { type FoundPart, findParts, type Pack, type PackPart, parsePack, readyMappings } from './packs/pack.ts';
import { MAX_SOURCE } from './records/fields.ts';
import { sniffCsv } from './sniff.ts';
import { csvRows, type FormatOrigin, openFiles, type ReadElsewhere, type Source } from './source.ts';

/** Reads the pack in a folder. Throws `ImportFault` if there is none or it is wrong. */
export async function readPack(folder: string, zone: string): Promise<Pack> {
  const file = join(folder, 'pack.json');
  const text = await readFile(file, 'utf8').catch(() => {
    throw new ImportFault(`${file} cannot be read: a pack is a folder with a pack.json.`);
  });
  return parsePack(text, file, zone);
}

/** The parameters to open the files of a pack. */
export interface PackRequest {
  readonly path: string; // a file or a folder
  readonly pack: Pack;
  readonly zone: string;
  readonly folder: string; // for temporary files
  readonly source?: string | undefined; // instead of the pack's name
  readonly readElsewhere?: ReadElsewhere | undefined;
}

/** Opens the files of a pack that exist, in the pack's order. */
export async function openPack(request: PackRequest): Promise<Source> {
  const { path, pack, zone, folder, source = pack.name, readElsewhere } = request;
  const inputs = await findInputs(path);
  const found = partsOf(pack, inputs.names, inputs.isFolder);
  const [only] = found;
  const written = pack.parts.length === 1 && only !== undefined ? await dialectIn(only) : {};
  const work = found.flatMap((one) =>
    readyMappings(pack, one, found, zone).map((mapping, index) => ({
      path: one.path,
      mapping: { ...mapping, csv: { ...mapping.csv, ...written } },
      source: pack.parts.length === 1 ? undefined : partSource(source, one, index),
      hasVersions: hasVersions(one.part.mappings[index]),
    })),
  );
  const files = work.map(({ hasVersions: _, ...file }) => file);
  const known: { known?: KnownCasesSlot } = files.length === 1 ? { known: {} } : {}; // no digests if files share cases
  const opened = openFiles({ format: 'csv', files, folder, isLenient: true, ...known }, { inputs, readElsewhere });
  const mappingOf = (file: string): Mapping => {
    const read = files.findLast(({ path }) => path === file);
    if (read === undefined) throw new Error(`${file} is not read`);
    return read.mapping;
  };
  return {
    ...opened,
    ...csvRows(opened, mappingOf),
    ...known,
    name: path,
    origin: originOf(source, work),
  };
}

/** Sniffs the dialect of a pack's only file: a spreadsheet may have saved it with another separator or encoding. */
async function dialectIn({ part, path }: FoundPart): Promise<Partial<Dialect>> {
  const isSaid = part.mappings.some(
    ({ csv }) => typeof csv === 'object' && csv !== null && ('separator' in csv || 'encoding' in csv),
  );
  if (isSaid || path === '-') return {};
  const sample = await sniffCsv((await readStart(path)).bytes);
  return sample?.dialect ?? {};
}

/**
 * Returns the origin of a pack. If it has several files, each is a source of its own. A source has versions if its
 * mapping says when a case changed.
 */
function originOf(source: string, work: readonly (MappedFile & { readonly hasVersions: boolean })[]): FormatOrigin {
  const parts = work.flatMap(({ mapping, source, hasVersions }) =>
    source === undefined || mapping.kind === 'members' ? [] : [{ source, replaces: hasVersions }],
  );
  const replaces = work.some(({ hasVersions }) => hasVersions);
  const [first, ...others] = parts;
  if (first === undefined) return { source, isNamed: false, replaces };
  return { source: others.length === 0 ? first.source : source, isNamed: true, replaces, parts };
}

/**
 * Whether the rows of a mapping replace a case's earlier ones: if it has `as_of`, and always for the kind `tickets`.
 */
const hasVersions = (mapping: PackPart['mappings'][number] | undefined): boolean =>
  mapping?.kind === 'tickets' || mapping?.as_of !== undefined;

/**
 * Names the source of a part, such as `fivetran-zendesk:ticket_comment`; each further mapping of a file is a source
 * too.
 */
function partSource(source: string, { part }: FoundPart, index: number): string {
  const name = `${source}:${part.name}${index === 0 ? '' : `:${index + 1}`}`;
  if ([...name].length <= MAX_SOURCE) return name;
  throw new ImportFault(`The source ${name} has more than ${MAX_SOURCE} characters: choose a shorter --source.`);
}

/**
 * Finds the files of a pack's parts. If the pack has one part and a single file is given, the file's name does not
 * matter.
 */
function partsOf(pack: Pack, names: readonly string[], isFolder: boolean): FoundPart[] {
  const [part, ...others] = pack.parts;
  const [path] = names;
  if (part !== undefined && others.length === 0 && !isFolder && path !== undefined) return [{ part, path }];
  return findParts(pack, names, basename);
}
