import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import type { Site } from '../../lib/access/sites.ts';
import { hasTellingStart } from '../../lib/import/file-start.ts';
import { FORMATS, isPlainFormat } from '../../lib/import/format-names.ts';
import { withLookupFiles } from '../../lib/import/formats/lookups.ts';
import type { Mapping } from '../../lib/import/formats/mapping.ts';
import { parseMapping } from '../../lib/import/formats/parse-mapping.ts';
import { STATUSES } from '../../lib/import/formats/zendesk/options.ts';
import { OPENERS, type OpenRequest } from '../../lib/import/open-format.ts';
import { openPack } from '../../lib/import/pack-source.ts';
import { PACKS, ratedPack, takesZone } from '../../lib/import/packs/pack.ts';
import type { ReadElsewhere, Source } from '../../lib/import/source.ts';
import type { Collections } from '../../lib/store/collection.ts';
import type { Table } from '../../lib/store/table.ts';
import { CASE_STATUSES, type CaseStatus } from '../../lib/vocabulary.ts';
import { Fault } from '../fault.ts';
import { readInThread } from '../local/threads/rows-in-thread.ts';
import { originShape } from './import-origin.ts';
import { confirm, findPack, recognise } from './import-recognise.ts';

/** The options of `import`. */
export const importOptions = {
  site: z.string(),
  format: z.string().optional(),
  map: z.string().optional(),
  dryRun: z.boolean().optional(),
  status: z.array(z.string()).optional(),
  automated: z.string().optional(),
  withLogins: z.boolean().optional(),
  timeField: z.string().optional(),
  merged: z.enum(['keep', 'skip']).optional(),
  check: z.string().optional(),
  zone: z.string().optional(),
  yes: z.boolean().optional(),
  ...originShape,
};
type Given = z.infer<z.ZodObject<typeof importOptions>>;

/** The site that is imported into. */
interface Target {
  readonly table: Table;
  readonly site: Site;
  readonly collections: Collections;
}

/** Opens the source that the options describe. Throws a `Fault` if they do not fit together. */
export async function openImportSource(target: Target, asked: Given, file: string, folder: string): Promise<Source> {
  const given = await withFormat(asked, file);
  const context = { ...target, clock: Date.now, newId: randomUUID };
  const request = { path: file, folder, context, readElsewhere: readLargeInThread };
  const { format, map, check, source } = given;
  if (format === 'zendesk' || format === 'ndjson') refuseZone(given, `--format ${format}`);
  if (format === 'zendesk') {
    if (map !== undefined) throw new Fault('--map is for a CSV: leave it out with --format zendesk.', 2);
    return OPENERS.zendesk({ ...request, zendesk: zendeskOptions(given), check });
  }
  refuseOthers(given);
  const zone = given.zone ?? target.site.timeZone;
  if (isPack(format)) {
    if (map !== undefined) throw new Fault('A pack has its own mappings: leave out --map.', 2);
    const pack = ratedPack(await findPack(format, zone), target.site.rating);
    if (!takesZone(pack)) refuseZone(given, `the pack ${pack.name}`);
    return openPack({ ...request, pack, zone, source });
  }
  const mapping = await readMapping(given, file, zone);
  const plain = format !== undefined && isPlainFormat(format) ? format : mapping === undefined ? 'ndjson' : 'csv';
  return OPENERS[plain]({ ...request, mapping });
}

/** Throws a `Fault` if a zone is given although the times of the format say theirs. */
function refuseZone({ zone }: Given, what: string): void {
  if (zone !== undefined)
    throw new Fault(`--zone has no meaning with ${what}, which says the zone of its times: leave it out.`, 2);
}

const THREAD_BYTES = 8_000_000; // size from which a file is read in a thread

/** Reads large files in a thread, which takes 0.1 s to start; the size of standard input is unknown. */
export const readLargeInThread: ReadElsewhere = (task, size = 0, notes) =>
  size >= THREAD_BYTES && availableParallelism() > 1 ? readInThread(task, notes) : undefined;

/** The options, with the recognised format if none is given. */
async function withFormat(given: Given, file: string): Promise<Given> {
  if (given.format !== undefined || given.map !== undefined || file === '-') return given;
  const found = await recognise(file);
  if (found === undefined) {
    if (isCsv(file) || (!isFolder(file) && !(await hasTellingStart(file)))) return given;
    refuseOthers(given);
    const csv = isFolder(file)
      ? ''
      : ` If it is a CSV, npx support mapping ${file} makes a mapping, and --map names it.`;
    throw new Fault(
      `Nothing in ${file} was recognised: say what it holds with --format ndjson, zendesk, a pack (${PACKS.join(', ')}) or ./my-pack.${csv}`,
      2,
    );
  }
  await confirm(file, found, (given.yes ?? false) || (given.dryRun ?? false));
  return { ...given, format: found.format };
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
const isCsv = (path: string): boolean => /\.csv(\.gz)?$/i.test(path);

const isPack = (format: string | undefined): format is string =>
  format !== undefined && (format.includes('/') || PACKS.some((pack) => pack === format));

/** Throws a `Fault` for an unknown format, or an option that belongs to another format. */
function refuseOthers(given: Given): void {
  if (given.format !== undefined && !isPack(given.format) && !FORMATS.some((format) => format === given.format)) {
    throw new Fault(
      `--format ${given.format} is none of ${FORMATS.join(', ')}, nor a folder with a pack (./my-pack).`,
      2,
    );
  }
  const only = ['status', 'automated', 'withLogins', 'timeField', 'merged', 'check'] as const;
  const misplaced = only.find((option) => given[option] !== undefined);
  if (misplaced !== undefined) {
    const option = misplaced.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new Fault(`--${option} is for --format zendesk.`, 2);
  }
}

/** The mapping given by the options; undefined for formats without one. */
async function readMapping(
  { format, map, zone: asked }: Given,
  file: string,
  zone: string,
): Promise<Mapping | undefined> {
  if (map === undefined) {
    if (format === 'csv' || (format === undefined && isCsv(file)))
      throw new Fault(`A CSV needs a mapping: npx support mapping ${file} makes one, --map names it.`, 2);
    return undefined;
  }
  if (format !== undefined && format !== 'csv')
    throw new Fault('--map is for a CSV: leave it out, or use --format csv.', 2);
  const text = await readFile(map, 'utf8').catch((error: unknown) => {
    const missing = z.object({ code: z.literal('ENOENT') }).safeParse(error).success;
    throw new Fault(missing ? `${map} does not exist: name the mapping's file.` : `${map} cannot be read.`, 2);
  });
  const mapping = parseMapping(text, map, zone);
  if (asked !== undefined && mapping.time.zone !== asked)
    throw new Fault(`${map} says itself in which zone its times are: change "zone" there, and leave out --zone.`, 2);
  return withLookupFiles(mapping, ({ file }) => resolve(dirname(map), file));
}

function zendeskOptions(given: Given): OpenRequest['zendesk'] {
  const { status = [], automated, withLogins = false, timeField, merged = 'keep' } = given;
  const ids = automated === undefined ? [] : automated.split(',').map((id) => Number(id.trim()));
  const wrong = ids.find((id) => !Number.isSafeInteger(id) || id < 1);
  if (wrong !== undefined) throw new Fault('--automated takes ids of users with commas between them.', 2);
  return {
    statuses: Object.fromEntries(status.map(statusOf)),
    automated: ids,
    withLogins,
    timeField,
    merged,
  };
}

function statusOf(given: string): [string, CaseStatus] {
  const [theirs = '', word = ''] = given.split('=');
  const ours = CASE_STATUSES.find((known) => known === (STATUSES[word] ?? word));
  if (theirs !== '' && ours !== undefined) return [theirs.toLowerCase(), ours];
  throw new Fault(`--status ${given}: write their status, = and one of ${CASE_STATUSES.join(', ')}.`, 2);
}
