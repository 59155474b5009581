import { eventsOf } from '../history/rewrite.ts';
import { type EncodingChoice, NOT_ASKED } from './encoding-choice.ts';
import { readStart, recognisePath } from './file-start.ts';
import { isPlainFormat, type PlainFormat } from './format-names.ts';
import { ImportFault } from './formats/import-fault.ts';
import { findInputs } from './formats/inputs.ts';
import { type ImportFiles, openCsv, openNdjson, openZendesk, type ReadElsewhere } from './import-files.ts';
import type { ImportContext } from './import-rows.ts';
import type { Mapping } from './mapping/mapping.ts';
import { openPack, packEncoding } from './open-pack.ts';
import { PACKS, type Pack, ratedPack } from './packs/pack.ts';
import type { Answers } from './proposal/proposal.ts';
import type { FileStart, Recognised } from './recognise.ts';
import { agentIds } from './reference/agents.ts';
import { ZENDESK_DEFAULTS, type ZendeskOptions } from './zendesk/options.ts';

/** The files of an import, and what is needed to open them. */
export interface Opening {
  readonly context: ImportContext;
  readonly path: string; // a file or folder; `-` is standard input
  readonly name?: string | undefined; // under which the file was sent; absent: that of the path
  readonly folder: string; // for temporary files
  readonly findPack: FindPack;
  readonly readElsewhere?: ReadElsewhere | undefined;
}

/** Loads a pack by its name; `zone` is that of its times without one. */
type FindPack = (name: string, zone: string) => Promise<Pack>;

/** How files are to be read. */
export interface OpenChoices {
  readonly format: string;
  readonly mapping?: Mapping | undefined; // of a CSV
  readonly zone?: string | undefined; // of times without one; absent: the site's
  readonly source?: string | undefined; // instead of a pack's name
  readonly zendesk?: Omit<ZendeskOptions, 'rating' | 'agents'> | undefined; // absent: the defaults
  readonly check?: string | undefined; // a file of Zendesk's ticket metrics
  readonly encoding?: string | undefined; // of a pack's only file; absent: the likeliest
}

/** What a format is recognised by. */
export type Recognising = Pick<Opening, 'path' | 'name' | 'findPack'>;

/** The format that files are recognised as; undefined if they are in none, or a CSV that no pack describes. */
export async function recogniseImport({ path, name, findPack }: Recognising): Promise<Recognised | undefined> {
  return recognisePath(path, await Promise.all(PACKS.map((pack) => findPack(pack, 'UTC'))), name);
}

/** Reads the beginning of an import's file, of several in an archive the first. Throws `ImportFault` if it is empty. */
export async function readOpening({ path, name }: Opening): Promise<FileStart> {
  const [first = path, another] = (await findInputs(path)).names;
  const start = await readStart(first, another === undefined ? name : undefined);
  if (start.bytes.length === 0) throw new ImportFault(`${start.name} is empty.`);
  return start;
}

/** Opens the files of an import. Throws `ImportFault`. */
export async function openImport(opening: Opening, choices: OpenChoices): Promise<ImportFiles> {
  const { format, zone = opening.context.site.timeZone, source, encoding } = choices;
  if (isPlainFormat(format)) return OPENERS[format](opening, choices);
  const pack = ratedPack(await opening.findPack(format, zone), opening.context.site.rating);
  return openPack({ ...opening, pack, zone, source, encoding });
}

/** The encoding of a pack's only file, or the question for it; nothing for other formats. */
export async function askPackEncoding(
  { path, findPack }: Opening,
  { format }: Pick<OpenChoices, 'format'>,
  answers: Answers,
): Promise<EncodingChoice> {
  if (isPlainFormat(format)) return NOT_ASKED;
  return packEncoding(await findPack(format, 'UTC'), path, answers);
}

/** Opens files of each format that is not a pack. */
const OPENERS: { readonly [F in PlainFormat]: (opening: Opening, choices: OpenChoices) => Promise<ImportFiles> } = {
  ndjson: ({ path, readElsewhere }) => openNdjson(path, readElsewhere),
  zendesk: async ({ context, ...opening }, { zendesk = ZENDESK_DEFAULTS, check }) => {
    const { site } = context;
    const options = { ...zendesk, rating: site.rating, agents: await agentIds({ ...context, site: site.name }) };
    return openZendesk({ ...opening, options, check, eventsOf: (subjects) => eventsOf(context, subjects) });
  },
  csv: (opening, { mapping }) => {
    if (mapping === undefined) throw new ImportFault('A CSV needs a mapping.');
    return openCsv({ ...opening, mapping });
  },
};
