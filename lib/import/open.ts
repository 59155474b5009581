import { eventsOf } from '../history/rewrite.ts';
import { recognisePath } from './file-start.ts';
import { isPlainFormat, type PlainFormat } from './format-names.ts';
import { ImportFault } from './formats/import-fault.ts';
import { type ImportFiles, openCsv, openNdjson, openZendesk, type ReadElsewhere } from './import-files.ts';
import type { ImportContext } from './import-rows.ts';
import type { Mapping } from './mapping/mapping.ts';
import { openPack } from './open-pack.ts';
import { PACKS, type Pack, ratedPack } from './packs/pack.ts';
import type { Recognised } from './recognise.ts';
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
  readonly encoding?: string | undefined; // of a pack's only file; absent: the likeliest
}

/** What a format is recognised by. */
export type Recognising = Pick<Opening, 'path' | 'name' | 'findPack'>;

/** The format that files are recognised as; undefined if they are in none, or a CSV that no pack describes. */
export async function recogniseImport({ path, name, findPack }: Recognising): Promise<Recognised | undefined> {
  return recognisePath(path, await Promise.all(PACKS.map((pack) => findPack(pack, 'UTC'))), name);
}

/** Opens the files of an import. Throws `ImportFault`. */
export async function openImport(opening: Opening, choices: OpenChoices): Promise<ImportFiles> {
  const { format, zone = opening.context.site.timeZone, source, encoding } = choices;
  if (isPlainFormat(format)) return OPENERS[format](opening, choices);
  const pack = ratedPack(await opening.findPack(format, zone), opening.context.site.rating);
  return openPack({ ...opening, pack, zone, source, encoding });
}

/** Opens files of each format that is not a pack. */
const OPENERS: { readonly [F in PlainFormat]: (opening: Opening, choices: OpenChoices) => Promise<ImportFiles> } = {
  ndjson: ({ path, readElsewhere }) => openNdjson(path, readElsewhere),
  zendesk: async ({ context, ...opening }, { zendesk = ZENDESK_DEFAULTS }) => {
    const { site } = context;
    const options = { ...zendesk, rating: site.rating, agents: await agentIds({ ...context, site: site.name }) };
    return openZendesk({ ...opening, options, eventsOf: (subjects) => eventsOf(context, subjects) });
  },
  csv: (opening, { mapping }) => {
    if (mapping === undefined) throw new ImportFault('A CSV needs a mapping.');
    return openCsv({ ...opening, mapping });
  },
};
