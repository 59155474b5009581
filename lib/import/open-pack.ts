import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ALL_TELLINGS, type Telling } from '../vocabulary.ts';
import { chooseEncoding, type EncodingChoice, NOT_ASKED } from './encoding-choice.ts';
import { readStart } from './file-start.ts';
import { ImportFault } from './formats/import-fault.ts';
import { isReadOnce } from './formats/input.ts';
import { findInputs } from './formats/inputs.ts';
import { csvRows, type ImportFiles, openFiles, type ReadElsewhere } from './import-files.ts';
import type { LastCasesSlot } from './known/known-cases.ts';
import type { MappedFile } from './mapping/mapped.ts';
import type { Mapping } from './mapping/mapping.ts';
import { tellsOf } from './mapping/tells.ts';
import type { FormatOrigin } from './origin.ts';
import { withOneOrder } from './packs/date-order.ts';
import { findParts, type Pack, type PackPart, type PartFile, parsePack, readyMappings } from './packs/pack.ts';
import type { Answers } from './proposal/proposal.ts';
import { MAX_SOURCE } from './records/record-fields.ts';
import { type CsvSample, sniffCsv } from './sniff.ts';

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
  readonly encoding?: string | undefined; // of its only file; absent: the likeliest
  readonly readElsewhere?: ReadElsewhere | undefined;
}

/** Opens the files of a pack that exist, in the pack's order. */
export async function openPack(request: PackRequest): Promise<ImportFiles> {
  const { path, pack, zone, folder, source = pack.name, encoding, readElsewhere } = request;
  const inputs = await findInputs(path);
  const partFiles = partsOf(pack, inputs.names, inputs.isFolder);
  const [only] = partFiles;
  const sample = pack.parts.length === 1 && only !== undefined ? await sampleOf(only, encoding) : undefined;
  const headers = new Map<PartFile, readonly string[] | undefined>();
  for (const one of partFiles) headers.set(one, one === only && sample ? sample.header : await headerOf(one));
  const work = partFiles.flatMap((one) =>
    readyMappings(pack, one, partFiles, zone).map((mapping, index) => ({
      path: one.path,
      mapping: withOneOrder({ ...mapping, csv: { ...mapping.csv, ...sample?.dialect } }, sample, path),
      source: pack.parts.length === 1 ? undefined : partSource(source, one, index),
      listsCases: one.part.lists_cases,
      hasVersions: hasVersions(one.part.mappings[index]),
      tells: tellsOf(mapping, headers.get(one)),
    })),
  );
  const files = work.map(({ hasVersions: _, tells: __, ...file }) => file);
  const lastCases: LastCasesSlot | undefined = files.length === 1 ? {} : undefined; // no digests if files share cases
  const opened = openFiles(
    { format: 'csv', files, folder, isLenient: true, known: lastCases },
    { inputs, readElsewhere },
  );
  const mappingOf = (file: string): Mapping => {
    const read = files.findLast(({ path }) => path === file);
    if (read === undefined) throw new Error(`${file} is not read`);
    return read.mapping;
  };
  return {
    ...opened,
    ...csvRows(opened, mappingOf),
    known: lastCases,
    name: path,
    origin: packOrigin(source, work),
  };
}

/** Whether a part says itself how its file is written; else a spreadsheet may have saved it in another way. */
const saysDialect = ({ mappings }: PackPart): boolean =>
  mappings.some(({ csv }) => typeof csv === 'object' && csv !== null && ('separator' in csv || 'encoding' in csv));

/** The columns of a file, by which it is known what it can tell; undefined: all that its mappings name. */
async function headerOf({ part, path }: PartFile): Promise<readonly string[] | undefined> {
  if (part.mappings.length === 0 || saysDialect(part) || isReadOnce(path)) return undefined;
  return (await sniffCsv((await readStart(path)).bytes))?.header;
}

/** Reads the beginning of a pack's only file. */
async function sampleOf({ part, path }: PartFile, encoding: string | undefined): Promise<CsvSample | undefined> {
  return saysDialect(part) || isReadOnce(path) ? undefined : sniffCsv((await readStart(path)).bytes, encoding);
}

/** The encoding of a pack's only file, asked if texts of its mappings' columns are read otherwise in another one. */
export async function packEncoding(pack: Pack, path: string, answers: Answers): Promise<EncodingChoice> {
  const [part, ...others] = pack.parts;
  if (part === undefined || others.length > 0 || saysDialect(part) || isReadOnce(path)) return NOT_ASKED;
  const named = JSON.stringify(part.mappings);
  return chooseEncoding((await readStart(path)).bytes, answers, (column) => named.includes(JSON.stringify(column)));
}

/** A file of a pack: whether its rows replace earlier ones, and what it can tell. */
interface PackFile extends MappedFile {
  readonly hasVersions: boolean;
  readonly tells: readonly Telling[];
}

/**
 * Returns the origin of a pack. If it has several files, each is a source of its own. A source has versions if its
 * mapping says when a case changed.
 */
function packOrigin(source: string, work: readonly PackFile[]): FormatOrigin {
  const parts = work.flatMap(({ mapping, source, hasVersions, tells }) =>
    source === undefined || mapping.kind === 'members' ? [] : [{ source, replaces: hasVersions, tells }],
  );
  const tells = ALL_TELLINGS.filter((each) => work.some((file) => file.tells.includes(each)));
  const replaces = work.some(({ hasVersions }) => hasVersions);
  const [first, ...others] = parts;
  if (first === undefined) return { source, isNamed: false, replaces, tells };
  return { source: others.length === 0 ? first.source : source, isNamed: true, replaces, tells, parts };
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
function partSource(source: string, { part }: PartFile, index: number): string {
  const name = `${source}:${part.name}${index === 0 ? '' : `:${index + 1}`}`;
  if ([...name].length <= MAX_SOURCE) return name;
  throw new ImportFault(`The source ${name} has more than ${MAX_SOURCE} characters: choose a shorter --source.`);
}

/**
 * Finds the files of a pack's parts. If the pack has one part and a single file is given, the file's name does not
 * matter.
 */
function partsOf(pack: Pack, names: readonly string[], isFolder: boolean): PartFile[] {
  const [part, ...others] = pack.parts;
  const [path] = names;
  if (part !== undefined && others.length === 0 && !isFolder && path !== undefined) return [{ part, path }];
  return findParts(pack, names);
}
