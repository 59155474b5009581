import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { FORMATS } from '../../../lib/import/format-names.ts';
import { withLookupFiles } from '../../../lib/import/mapping/lookups.ts';
import type { Mapping } from '../../../lib/import/mapping/mapping.ts';
import { parseMapping } from '../../../lib/import/mapping/parse-mapping.ts';
import type { CopyNumbers } from '../../../lib/import/newer-copy.ts';
import type { OpenChoices, Opening } from '../../../lib/import/open.ts';
import { type FileChoices, type OpenPlan, planOpening } from '../../../lib/import/open-plan.ts';
import type { OriginChoice } from '../../../lib/import/origin.ts';
import { PACKS, takesZone } from '../../../lib/import/packs/pack.ts';
import type { Answers } from '../../../lib/import/proposal/proposal.ts';
import { STATUSES } from '../../../lib/import/zendesk/options.ts';
import { CASE_STATUSES, type CaseStatus } from '../../../lib/vocabulary.ts';
import { Fault } from '../../fault.ts';
import { choice, line, lines, type OptionsOf, toggle } from '../command.ts';
import { ANSWERS, readAnswers } from './answers.ts';
import { settleCopy } from './copy.ts';
import { ORIGIN } from './origin-options.ts';
import { type OpenList, settle, settlingOf } from './questions.ts';
import { confirm } from './recognise.ts';

/** The options of `import`. */
export const IMPORT = {
  format: line('<format>', `${FORMATS.join(', ')}, or a pack of your own: ./folder`),
  map: line('<file>', 'mapping of a CSV (docs/import.md)'),
  zone: line('<zone>', "time zone of times without offset, in exports with one row a ticket (default: the site's)"),
  yes: toggle('import the file as the recognised format, without a question'),
  dryRun: toggle('check everything, write nothing'),
  status: lines('<theirs=ours>', 'zendesk: what a status means, such as hold=pending; may repeat'),
  automated: line('<ids>', 'zendesk: ids of users that are machines, with commas between them'),
  withLogins: toggle('zendesk: agents become users of the site'),
  timeField: line('<title>', 'zendesk: the ticket field in which an app writes the seconds of work'),
  merged: choice('<what>', 'zendesk: keep or skip the closing of a ticket that was merged into another', [
    'keep',
    'skip',
  ]),
  ...ORIGIN,
  ...ANSWERS,
};
export type ImportArguments = Partial<OptionsOf<typeof IMPORT>>;

/** How a file is opened, as it was settled. */
interface SettledOpening {
  readonly opening: Opening; // of the table that was chosen
  readonly choices: OpenChoices;
  readonly source: Pick<OriginChoice, 'source' | 'own'>;
  readonly form?: string | undefined; // by which a newer copy of the file is recognised
  readonly remarks: readonly string[]; // for the summary
}

/** Finds out what replacing the cases of a source would change. */
type Rehearse = (opening: Opening, choices: OpenChoices, source: string) => Promise<CopyNumbers>;

/** Settles how a file is opened, by the options, the file and a person; or says what it leaves open. Throws a `Fault` if the options do not fit. */
export async function settleOpening(
  file: Opening,
  options: ImportArguments,
  rehearse: Rehearse,
): Promise<SettledOpening | OpenList> {
  const said = await saidBy(options, file.context.site.timeZone);
  const settling = settlingOf(options);
  const planned = checkedOnce(planOpening(file, said), options);
  const { proposal: plan, answers, assumed, guessed } = await settle(planned, await readAnswers(options), settling);
  const { choices, marks, proposal, questions, ignored } = plan;
  if (choices === undefined) return { questions };
  const opening = { ...file, path: plan.path };
  if (proposal === undefined) {
    refuseAnswers(ignored, options.assume === true && assumed.length === 0 && plan.pack === undefined);
    return { opening, choices, source: {}, remarks: assumedRemarks(assumed, guessed) };
  }
  const copying = { answers, settling, rehearse: (source: string) => rehearse(opening, choices, source) };
  const copied =
    marks === undefined || options.source !== undefined
      ? { source: {}, assumed: [] }
      : await settleCopy(opening, marks, copying);
  if ('questions' in copied) return copied;
  const remarks = [
    ...proposal.notes,
    ...assumedRemarks([...assumed, ...copied.assumed], guessed),
    ...ignoredRemarks(ignored),
  ];
  return { opening, choices, form: marks?.form, source: copied.source, remarks };
}

/** Says which proposed answers were taken. */
const assumedRemarks = (ids: readonly string[], guessed: readonly string[]): string[] => [
  ...(ids.length === 0 ? [] : [`The proposed answers were taken: ${ids.join(', ')}.`]),
  ...(guessed.length === 0
    ? []
    : [`Nothing in the file tells these, so that they are guesses: ${guessed.join(', ')}.`]),
];

const ignoredRemarks = (ids: readonly string[]): string[] =>
  ids.length === 0 ? [] : [`These answers are of no question, and were ignored: ${ids.join(', ')}.`];

/** Throws a `Fault` for answers of a file that asks nothing. */
function refuseAnswers([misplaced]: readonly string[], isUnused: boolean): void {
  const option = misplaced === undefined ? '--assume' : `--answer ${misplaced}`;
  if (misplaced !== undefined || isUnused)
    throw new Fault(`${option} is for a CSV without a mapping: leave it out.`, 2);
}

/** A planning that checks the options, and asks whether the recognised format is right, once the format is known. */
function checkedOnce(planned: (answers: Answers) => Promise<OpenPlan>, options: ImportArguments): typeof planned {
  let isConfirmed = false;
  return async (answers) => {
    const plan = await planned(answers);
    const { path, format, why, isRecognised, refusal } = plan;
    if (format !== undefined && isRecognised && !isConfirmed) {
      isConfirmed = true;
      await confirm(path, { format, why }, [options.yes, options.assume, options.dryRun].includes(true));
    }
    if (format !== undefined || refusal !== undefined) refuseMisplaced(plan, options);
    if (refusal !== undefined) throw new Fault(format === undefined ? nothingIn(plan) : refusal, 2);
    return plan;
  };
}

function nothingIn({ path, isFolder }: OpenPlan): string {
  const csv = isFolder ? '' : ` If it is a CSV, npx support mapping ${path} makes a mapping, and --map names it.`;
  return `Nothing in ${path} was recognised: say what it holds with --format ndjson, zendesk, a pack (${PACKS.join(', ')}) or ./my-pack.${csv}`;
}

/** What the options say of the file. Throws a `Fault` for an unknown format, and for a mapping of another than a CSV. */
async function saidBy(options: ImportArguments, siteZone: string): Promise<FileChoices> {
  const { format, map, zone, source } = options;
  if (format !== undefined && !format.includes('/') && !FORMATS.some((each) => each === format))
    throw new Fault(`--format ${format} is none of ${FORMATS.join(', ')}, nor a folder with a pack (./my-pack).`, 2);
  if (map !== undefined && format !== undefined && format !== 'csv')
    throw new Fault(`--map is for a CSV: leave it out with --format ${format}.`, 2);
  const mapping = map === undefined ? undefined : await readMapping(map, zone, siteZone);
  return { format, mapping, zone, source, zendesk: zendeskOptions(options) };
}

const OF_ZENDESK = ['status', 'automated', 'withLogins', 'timeField', 'merged'] as const;

/** Throws a `Fault` for an option that the format has no use for. */
function refuseMisplaced({ format, pack, isRecognised }: OpenPlan, options: ImportArguments): void {
  const misplaced = format === 'zendesk' ? undefined : OF_ZENDESK.find((option) => options[option] !== undefined);
  const option = misplaced?.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (option !== undefined) throw new Fault(`--${option} is for --format zendesk.`, 2);
  const isRecords = format === 'ndjson' && (isRecognised || options.format !== undefined); // else it may be empty
  if (format === 'zendesk' || isRecords) refuseZone(options, `--format ${format}`);
  if (pack !== undefined && !takesZone(pack)) refuseZone(options, `the pack ${pack.name}`);
}

/** Throws a `Fault` if a zone is given although the times of the format say theirs. */
function refuseZone({ zone }: ImportArguments, what: string): void {
  if (zone !== undefined)
    throw new Fault(`--zone has no meaning with ${what}, which says the zone of its times: leave it out.`, 2);
}

/** The mapping in a file. Throws a `Fault` if there is none, or it says the zone itself that is asked for. */
async function readMapping(map: string, asked: string | undefined, siteZone: string): Promise<Mapping> {
  const text = await readFile(map, 'utf8').catch((error: unknown) => {
    const missing = z.object({ code: z.literal('ENOENT') }).safeParse(error).success;
    throw new Fault(missing ? `${map} does not exist: name the mapping's file.` : `${map} cannot be read.`, 2);
  });
  const mapping = parseMapping(text, map, asked ?? siteZone);
  if (asked !== undefined && mapping.time.zone !== asked)
    throw new Fault(`${map} says itself in which zone its times are: change "zone" there, and leave out --zone.`, 2);
  return withLookupFiles(mapping, ({ file }) => resolve(dirname(map), file));
}

function zendeskOptions(options: ImportArguments): OpenChoices['zendesk'] {
  const { status = [], automated, withLogins = false, timeField, merged = 'keep' } = options;
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

function statusOf(text: string): [string, CaseStatus] {
  const [theirs = '', word = ''] = text.split('=');
  const ours = CASE_STATUSES.find((status) => status === (STATUSES[word] ?? word));
  if (theirs !== '' && ours !== undefined) return [theirs.toLowerCase(), ours];
  throw new Fault(`--status ${text}: write their status, = and one of ${CASE_STATUSES.join(', ')}.`, 2);
}
