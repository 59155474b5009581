import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { ENCODING } from '../../../lib/import/encoding-choice.ts';
import { hasTellingStart, readStart } from '../../../lib/import/file-start.ts';
import { FORMATS } from '../../../lib/import/format-names.ts';
import { packedAround } from '../../../lib/import/formats/input.ts';
import { withLookupFiles } from '../../../lib/import/mapping/lookups.ts';
import type { Mapping } from '../../../lib/import/mapping/mapping.ts';
import { parseMapping } from '../../../lib/import/mapping/parse-mapping.ts';
import { askPackEncoding, type OpenChoices, type Opening, recogniseImport } from '../../../lib/import/open.ts';
import { PACKS, takesZone } from '../../../lib/import/packs/pack.ts';
import type { Answers } from '../../../lib/import/proposal/proposal.ts';
import { sniffCsv } from '../../../lib/import/sniff.ts';
import { SHEET } from '../../../lib/import/table-choice.ts';
import { STATUSES } from '../../../lib/import/zendesk/options.ts';
import { CASE_STATUSES, type CaseStatus } from '../../../lib/vocabulary.ts';
import { Fault } from '../../fault.ts';
import { answerShape } from './answers.ts';
import { originShape } from './origin-options.ts';
import {
  assumedRemarks,
  type OpenList,
  type OpenPlan,
  proposePlan,
  type Rehearse,
  type SettledBefore,
  settlingOf,
} from './proposed.ts';
import { settle } from './questions.ts';
import { confirm } from './recognise.ts';

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
  ...answerShape,
};
export type ImportArguments = z.infer<z.ZodObject<typeof importOptions>>;

/** How a file is read, by the options and the file; or what the file leaves open. Throws a `Fault` if they do not fit. */
export async function planOpening(
  opening: Opening,
  asked: ImportArguments,
  before: SettledBefore,
  rehearse: Rehearse,
): Promise<OpenPlan | OpenList> {
  const options = await withFormat(opening, asked);
  if (options.map === undefined && isPlainCsv(options, opening.path)) {
    refuseOthers(options);
    return proposePlan(opening, options, before, rehearse);
  }
  return planNamed(opening, options, before);
}

/** How a file is read whose format, or mapping, is known: the only thing that it may leave open is its encoding. */
async function planNamed(
  opening: Opening,
  options: ImportArguments,
  { answers: given, assumed }: SettledBefore,
): Promise<OpenPlan | OpenList> {
  const choices = await openChoices(opening, options);
  const ask = (answers: Answers) => askPackEncoding(opening, choices, answers);
  const settled = await settle(ask, given, settlingOf(options));
  const { encoding, questions } = settled.proposal;
  if (questions.length > 0) return { questions };
  const taken = [...assumed, ...settled.assumed];
  const misplaced = Object.keys(given).find((id) => id !== SHEET && (id !== ENCODING || !isPack(choices.format)));
  const isUnused = options.assume === true && taken.length === 0;
  if (misplaced !== undefined || isUnused)
    throw new Fault(
      `--${isUnused ? 'assume' : `answer ${misplaced}`} is for a CSV without a mapping: leave it out.`,
      2,
    );
  return { choices: { ...choices, encoding }, source: {}, remarks: assumedRemarks(taken) };
}

/** What the options say about how a file is read. Throws a `Fault` if they do not fit together. */
async function openChoices(opening: Opening, options: ImportArguments): Promise<OpenChoices> {
  const { context, findPack } = opening;
  const { format, map, check, source, zone } = options;
  if (format === 'zendesk' || format === 'ndjson') refuseZone(options, `--format ${format}`);
  if (format === 'zendesk') {
    if (map !== undefined) throw new Fault('--map is for a CSV: leave it out with --format zendesk.', 2);
    return { format, zendesk: zendeskOptions(options), check };
  }
  refuseOthers(options);
  if (isPack(format)) {
    if (map !== undefined) throw new Fault('A pack has its own mappings: leave out --map.', 2);
    const pack = zone === undefined ? undefined : await findPack(format, zone);
    if (pack && !takesZone(pack)) refuseZone(options, `the pack ${pack.name}`);
    return { format, zone, source };
  }
  const mapping = await readMapping(options, zone ?? context.site.timeZone);
  return { format: format ?? (mapping === undefined ? 'ndjson' : 'csv'), mapping };
}

/** Throws a `Fault` if a zone is given although the times of the format say theirs. */
function refuseZone({ zone }: ImportArguments, what: string): void {
  if (zone !== undefined)
    throw new Fault(`--zone has no meaning with ${what}, which says the zone of its times: leave it out.`, 2);
}

/** The options, with the recognised format if none is given. */
async function withFormat(opening: Opening, given: ImportArguments): Promise<ImportArguments> {
  const { path: file } = opening;
  if (given.format !== undefined || given.map !== undefined || file === '-') return given;
  const found = await recogniseImport(opening);
  if (found === undefined) {
    if (isCsv(file)) return given;
    if (!isFolder(file) && (await isTable(file))) return { ...given, format: 'csv' };
    if (!isFolder(file) && !(await hasTellingStart(file))) return given;
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

const isFolder = (path: string): boolean =>
  packedAround(path) === undefined && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
const isCsv = (path: string): boolean => /\.csv(\.gz)?$/i.test(path);

/** Whether a file that no format was recognised in is a table with a header and a row. */
async function isTable(file: string): Promise<boolean> {
  const { bytes } = await readStart(file);
  const isJson = /^\s*[[{]/.test(Buffer.from(bytes.subarray(0, 1_024)).toString('utf8'));
  return !isJson && ((await sniffCsv(bytes))?.rows.length ?? 0) > 0;
}

const isPlainCsv = ({ format }: ImportArguments, path: string): boolean =>
  format === 'csv' || (format === undefined && isCsv(path));

const isPack = (format: string | undefined): format is string =>
  format !== undefined && (format.includes('/') || PACKS.some((pack) => pack === format));

/** Throws a `Fault` for an unknown format, or an option that belongs to another format. */
function refuseOthers(given: ImportArguments): void {
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
async function readMapping({ format, map, zone: asked }: ImportArguments, zone: string): Promise<Mapping | undefined> {
  if (map === undefined) return undefined;
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

function zendeskOptions(given: ImportArguments): OpenChoices['zendesk'] {
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
