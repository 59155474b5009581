import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readStart } from './file-start.ts';
import { type Dialect, pickRows } from './formats/csv.ts';
import { type FilePlaces, newFilePlaces } from './formats/file-places.ts';
import { newFindings } from './formats/findings.ts';
import { ImportFault } from './formats/import-fault.ts';
import { type Input, openInput } from './formats/input.ts';
import { findInputs } from './formats/inputs.ts';
import { dialectOf, type KnownHolder, type MappedCsv, readMapped } from './formats/mapped.ts';
import type { Mapping } from './formats/mapping.ts';
import type { Batch, Row } from './formats/row.ts';
import { type FoundPart, findParts, type Pack, type PackPart, parsePack, readyMappings } from './packs/pack.ts';
import { MAX_SOURCE } from './records/fields.ts';
import { sniffCsv } from './sniff.ts';
import { csvRejects, type FormatOrigin, type Source } from './source.ts';

/** Reads the pack that lies in a folder. Throws `ImportFault`. */
export async function readPack(folder: string, zone: string): Promise<Pack> {
  const file = join(folder, 'pack.json');
  const text = await readFile(file, 'utf8').catch(() => {
    throw new ImportFault(`${file} cannot be read: a pack is a folder with a pack.json.`);
  });
  return parsePack(text, file, zone);
}

/** What opening the files of a pack needs. */
export interface PackRequest {
  readonly path: string; // a file or a folder
  readonly pack: Pack;
  readonly zone: string;
  readonly folder: string; // for temporary files
  readonly source?: string | undefined; // instead of the pack's name
}

/** A file that is being read, with what is known of it. */
interface Reading {
  readonly input: Input;
  readonly mapping: Mapping;
  readonly csv: MappedCsv;
}

/** Opens those files of a pack that are there, in the pack's order. */
export async function openPack({ path, pack, zone, folder, source = pack.name }: PackRequest): Promise<Source> {
  const inputs = await findInputs(path);
  const found = partsOf(pack, inputs.names, inputs.isFolder);
  const [only] = found;
  const written = pack.parts.length === 1 && only !== undefined ? await dialectIn(only) : {};
  const work = found.flatMap((one) =>
    readyMappings(pack, one, found, zone).map((mapping, place) => ({
      ...{
        one,
        mapping: { ...mapping, csv: { ...mapping.csv, ...written } },
        hasVersions: hasVersions(one.part.mappings[place]),
      },
      source: pack.parts.length === 1 ? undefined : partSource(source, one, place),
    })),
  );
  const places = newFilePlaces();
  const findings = newFindings();
  const readings = new Map<string, Reading>();
  const known: KnownHolder = {};
  const isAlone = work.length === 1; // else other files bring more of the same cases
  const options = { folder, findings, isPart: !isAlone, isLenient: true, ...(isAlone ? { known } : {}) };

  async function* batches(): AsyncGenerator<Batch> {
    for (const { one, mapping, source } of work) {
      const input = await openInput(one.path);
      const csv = readMapped(input.bytes, mapping, { ...options, source });
      readings.set(one.path, { input, mapping, csv });
      places.begin(one.path);
      for await (const batch of csv.batches) yield renumbered(batch, places);
      await input.close();
    }
  }

  const all = () => [...readings.values()];
  const sum = (count: (reading: Reading) => number): number => all().reduce((total, one) => total + count(one), 0);
  return {
    name: path,
    batches: batches(),
    size: inputs.size,
    position: () => sum(({ input }) => input.position()),
    rows: () => ({ read: sum(({ csv }) => csv.rows().read), given: sum(({ csv }) => csv.rows().given) }),
    findings,
    ...(isAlone ? { known } : {}),
    origin: originOf(source, work),
    placeOf: places.of,
    nameOf: (file) => file,
    rejects: (file) => {
      const { mapping, csv } = reading(file);
      return csvRejects(mapping, csv.header);
    },
    again: (file, lines) => {
      const { input, mapping } = reading(file);
      return pickRows(input.again(), dialectOf(mapping), lines);
    },
    close: async () => undefined,
  };

  function reading(file: string): Reading {
    const found = readings.get(file);
    if (found === undefined) throw new Error(`${file} has not been read`);
    return found;
  }
}

/** How the one file of a pack is written: a spreadsheet may have saved it with other separators and in another encoding. */
async function dialectIn({ part, path }: FoundPart): Promise<Partial<Dialect>> {
  const isSaid = part.mappings.some(
    ({ csv }) => typeof csv === 'object' && csv !== null && ('separator' in csv || 'encoding' in csv),
  );
  if (isSaid || path === '-') return {};
  const sample = await sniffCsv((await readStart(path)).bytes);
  return sample?.dialect ?? {};
}

/** What is read of a file. */
interface Work {
  readonly mapping: Mapping;
  readonly source: string | undefined; // of its own
  readonly hasVersions: boolean;
}

/** Each file of a pack with several is a source of its own: one with versions where its mapping says when a case changed. */
function originOf(source: string, work: readonly Work[]): FormatOrigin {
  const parts = work.flatMap(({ mapping, source, hasVersions }) =>
    source === undefined || mapping.kind === 'members' ? [] : [{ source, replaces: hasVersions }],
  );
  const replaces = work.some(({ hasVersions }) => hasVersions);
  const [first, ...others] = parts;
  if (first === undefined) return { source, isNamed: false, replaces };
  return { source: others.length === 0 ? first.source : source, isNamed: true, replaces, parts };
}

/** Whether a part's mapping says when a case changed, as one of the kind `tickets` does even without saying it. */
const hasVersions = (mapping: PackPart['mappings'][number] | undefined): boolean =>
  mapping?.kind === 'tickets' || mapping?.as_of !== undefined;

/** `fivetran-zendesk:ticket_comment`; a further mapping of the file is a source of its own, too. */
function partSource(source: string, { part }: FoundPart, place: number): string {
  const name = `${source}:${part.name}${place === 0 ? '' : `:${place + 1}`}`;
  if ([...name].length <= MAX_SOURCE) return name;
  throw new ImportFault(`The source ${name} has more than ${MAX_SOURCE} characters: choose a shorter --source.`);
}

/** A single file of a pack with one part is that part, whatever its name. */
function partsOf(pack: Pack, names: readonly string[], isFolder: boolean): FoundPart[] {
  const [part, ...others] = pack.parts;
  const [path] = names;
  if (part !== undefined && others.length === 0 && !isFolder && path !== undefined) return [{ part, path }];
  return findParts(pack, names, basename);
}

function renumbered(batch: Batch, places: FilePlaces): Batch {
  const number = (row: Row): Row => ({ ...row, line: row.line === 0 ? 0 : places.number(row.line) });
  return 'cases' in batch ? { ...batch, cases: batch.cases.map(number) } : batch.map(number);
}
