import { isJsonObject, parsedJson } from '../json.ts';
import { readObjects } from './formats/json-objects.ts';
import { once } from './formats/lines.ts';
import { fileNames, type Pack } from './packs/pack.ts';
import { RECORD_TYPES } from './records/records.ts';
import { sniffCsv } from './sniff.ts';
import { PAGES, unwrap } from './zendesk/kinds.ts';

/** A recognised format. */
export interface Recognised {
  readonly format: string; // a value of --format
  readonly why: string; // the reason, for the user
}

/** The beginning of a file, enough to recognise its format. */
export interface FileStart {
  readonly name: string; // without its folder
  readonly bytes: Uint8Array;
}

/** Recognises a file by its beginning; undefined if it is unknown. */
export async function recogniseFile(start: FileStart, packs: readonly Pack[]): Promise<Recognised | undefined> {
  const first = firstByte(start.bytes);
  if (first === '{' || first === '[') return recogniseJson(start.bytes);
  const sample = await sniffCsv(start.bytes);
  if (sample === undefined) return undefined;
  for (const { name, about, parts } of packs) {
    const part = parts.find((one) => hasColumns(one, sample.header));
    if (part === undefined || (parts.length > 1 && !fileNames(part)(start.name))) continue;
    return { format: name, why: `its columns ${part.header.join(', ')} are those of ${about}` };
  }
  return undefined;
}

const TELLING = 8; // columns of a mapping that make a file one of its pack, though one of its header is missing

/** Whether a file has the columns of a part; one may be missing or in another language if many others are there. */
function hasColumns({ header, mappings }: Pack['parts'][number], columns: readonly string[]): boolean {
  const missing = header.filter((one) => !columns.includes(one)).length;
  if (header.length === 0 || missing > 1 || missing === 0) return header.length > 0 && missing === 0;
  const text = JSON.stringify(mappings);
  return header.length > 3 && columns.filter((one) => text.includes(JSON.stringify(one))).length >= TELLING;
}

/**
 * Recognises the files of a folder: a pack by the names of its files, else Zendesk if one file is recognised as such.
 */
export async function recogniseFolder(
  starts: readonly FileStart[],
  packs: readonly Pack[],
): Promise<Recognised | undefined> {
  const names = starts.map(({ name }) => name);
  const matches = packs
    .filter(({ parts }) => parts.length > 1)
    .map((pack) => ({ pack, found: pack.parts.filter((part) => names.some(fileNames(part))) }))
    .sort((a, b) => b.found.length - a.found.length);
  const [best] = matches;
  if (best !== undefined && best.found.length >= 2) {
    const headed = await headersAgree(starts, best.found);
    const found = best.found.map(({ name }) => name).join(', ');
    if (headed) return { format: best.pack.name, why: `its files ${found} are ${best.pack.about}` };
  }
  for (const start of starts) {
    const recognised = await recogniseFile(start, packs);
    if (recognised?.format === 'zendesk') return recognised;
  }
  return undefined;
}

/** Whether the files of a pack have the columns that it expects: many packs have files of the same names. */
async function headersAgree(starts: readonly FileStart[], parts: Pack['parts']): Promise<boolean> {
  for (const part of parts) {
    const isNamed = fileNames(part);
    const start = starts.find(({ name }) => isNamed(name));
    const { header } = part;
    if (start === undefined || header.length === 0) continue;
    const sample = await sniffCsv(start.bytes);
    if (sample === undefined || !header.every((column) => sample.header.includes(column))) return false;
  }
  return true;
}

function firstByte(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 1_024)).toString('utf8').replace('\uFEFF', '').trimStart().slice(0, 1);
}

async function recogniseJson(bytes: Uint8Array): Promise<Recognised | undefined> {
  for await (const cuts of readObjects(once(bytes), PAGES)) {
    for (const cut of cuts) {
      const value = 'text' in cut ? parsedJson(cut.text) : undefined;
      if (isJsonObject(value) && RECORD_TYPES.includes(String(value.type))) {
        return { format: 'ndjson', why: `it holds records such as ${String(value.type)}` };
      }
      const kind = unwrap(value, 'page' in cut ? cut.page : undefined)?.kind;
      if (kind !== undefined) return { format: 'zendesk', why: `it holds Zendesk's objects, such as a ${kind}` };
    }
  }
  return undefined;
}
