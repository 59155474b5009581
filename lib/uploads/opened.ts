import { readStart } from '../import/file-start.ts';
import { isPlainFormat } from '../import/format-names.ts';
import { ImportFault } from '../import/formats/import-fault.ts';
import type { ImportContext } from '../import/import-rows.ts';
import { OPENERS } from '../import/open-format.ts';
import { openPack } from '../import/pack-source.ts';
import { PACKS, type Pack, ratedPack } from '../import/packs/pack.ts';
import { type FileStart, type Recognised, recogniseFile } from '../import/recognise.ts';
import { type CsvSample, sniffCsv } from '../import/sniff.ts';
import type { ReadElsewhere, Source } from '../import/source.ts';
import { type Suggestion, suggestMapping } from '../import/suggest/suggest.ts';
import { readGivenMapping } from './given-mapping.ts';
import type { FoundFile, Given } from './upload.ts';

/** Everything needed to open a file. */
export interface Opening {
  readonly context: ImportContext;
  readonly path: string;
  readonly name: string; // the name under which it was sent
  readonly folder: string; // for temporary files
  readonly findPack: (name: string, zone: string) => Promise<Pack>;
  readonly readElsewhere?: ReadElsewhere;
}

/** A file that is ready to read, with its recognised format, mapping and preview. */
export interface Opened {
  readonly source: Source;
  readonly found: Omit<FoundFile, 'source' | 'sources'>;
}

const ROWS = 10; // of a preview
const COLUMNS = 60;
const CELL = 120; // characters
const LINES = 5;
const LINE = 400;

type Fields = Readonly<Record<string, unknown>>;

/** Opens a file as the given format, or as the recognised one. Throws `ImportFault`. */
export async function openUpload(opening: Opening, given: Given): Promise<Opened> {
  const { context, path, name, folder, readElsewhere } = opening;
  const start = await readStart(path, name);
  if (start.bytes.length === 0) throw new ImportFault(`${name} is empty.`);
  const sample = await sniffCsv(start.bytes);
  const zone = given.zone ?? context.site.timeZone;
  const { format, why } = await recognise(opening, given, start, sample);
  const isTable = format === 'csv' || !isPlainFormat(format);
  const common = { format, why, preview: previewOf(start, isTable ? sample : undefined) };
  if (format === 'csv') return openCsv(opening, { given, sample, zone }, common);
  const request = { path, folder, context, readElsewhere };
  if (isPlainFormat(format)) {
    return { source: await OPENERS[format](request), found: { ...common, mapping: null, notes: [] } };
  }
  const pack = ratedPack(await opening.findPack(format, zone), context.site.rating);
  const source = await openPack({ ...request, pack, zone, source: given.source });
  return { source, found: { ...common, mapping: mappingOf(pack), notes: [] } };
}

async function recognise(
  { findPack, name }: Opening,
  given: Given,
  start: FileStart,
  sample: CsvSample | undefined,
): Promise<Recognised> {
  if (given.mapping !== undefined) return { format: 'csv', why: 'it was given a mapping' };
  if (given.format !== undefined) return { format: given.format, why: 'it was chosen' };
  const packs = await Promise.all(PACKS.map((one) => findPack(one, 'UTC')));
  const found = await recogniseFile(start, packs);
  if (found !== undefined) return found;
  if (sample !== undefined) return { format: 'csv', why: `it has the columns ${sample.header.slice(0, 8).join(', ')}` };
  throw new ImportFault(
    `${name} is in no format that can be imported: a CSV with a header, NDJSON of records, or objects of Zendesk.`,
  );
}

/** Opens a CSV by the given mapping, or by the one that its columns suggest. */
async function openCsv(
  { path, folder, context, readElsewhere, name }: Opening,
  { given, sample, zone }: { readonly given: Given; readonly sample: CsvSample | undefined; readonly zone: string },
  common: Pick<Opened['found'], 'format' | 'why' | 'preview'>,
): Promise<Opened> {
  const suggestion = sample && inZone(suggestMapping(sample), zone);
  const fields: Fields | undefined = given.mapping ?? suggestion?.mapping;
  if (fields === undefined) {
    const columns = sample?.header.join(', ') ?? 'none';
    throw new ImportFault(
      `${name} has no column that could name the case, or none with times: its columns are ${columns}.`,
    );
  }
  const mapping = readGivenMapping(fields, zone);
  const source = await OPENERS.csv({ path, mapping, folder, context, readElsewhere });
  const notes = given.mapping === undefined ? (suggestion?.notes ?? []) : [];
  const shown = notes.map(({ what, why, isSure }) => ({ what, why, is_sure: isSure }));
  return { source, found: { ...common, mapping: { ...fields }, notes: shown } };
}

/** The suggestion with its times without offset read in the given zone. */
function inZone(suggestion: Suggestion | undefined, zone: string): Suggestion | undefined {
  const { time }: { readonly time?: { readonly zone?: string } } = Object(suggestion?.mapping);
  if (suggestion === undefined || time?.zone === undefined) return suggestion;
  const notes = suggestion.notes.map((note) =>
    note.what === 'Times are in UTC.'
      ? { ...note, what: `Times are in ${zone}.`, why: 'they do not say their zone' }
      : note,
  );
  return { mapping: { ...suggestion.mapping, time: { ...time, zone } }, notes };
}

/** The only mapping of a pack; null if it has several or none. */
function mappingOf({ parts }: Pack): Record<string, unknown> | null {
  const [mapping, another] = parts.flatMap(({ mappings }) => mappings);
  return another === undefined ? (mapping ?? null) : null;
}

function previewOf({ bytes }: FileStart, sample: CsvSample | undefined): FoundFile['preview'] {
  const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text);
  if (sample !== undefined) {
    const row = (cells: readonly string[]): string[] => cells.slice(0, COLUMNS).map((cell) => cut(cell, CELL));
    return { header: row(sample.header), rows: sample.rows.slice(0, ROWS).map(row) };
  }
  const lines = new TextDecoder().decode(bytes.subarray(0, 65_536)).split(/\r?\n/);
  return {
    lines: lines
      .filter((line) => line.trim() !== '')
      .slice(0, LINES)
      .map((line) => cut(line, LINE)),
  };
}
