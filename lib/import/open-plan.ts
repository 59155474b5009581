import { memoize } from '../memo.ts';
import { ENCODING } from './encoding-choice.ts';
import { readStart } from './file-start.ts';
import { isPlainFormat } from './format-names.ts';
import { isReadOnce, shownName } from './formats/input.ts';
import { findInputs } from './formats/inputs.ts';
import { completeMapping } from './mapping/parse-mapping.ts';
import { type CopyMarks, copyMarks, NEWER_COPY } from './newer-copy.ts';
import { type OpenChoices, type Recognising, recogniseImport } from './open.ts';
import { packEncoding } from './open-pack.ts';
import { mappingsOf, type Pack } from './packs/pack.ts';
import type { Answers, Question } from './proposal/proposal.ts';
import type { Proposal } from './proposal/propose.ts';
import type { FileStart, Recognised } from './recognise.ts';
import { type CsvSample, START, sniffCsv } from './sniff.ts';
import { chooseTable, SHEET } from './table-choice.ts';
import { type UnderstandContext, type UnderstoodFile, understandCsv } from './understand.ts';

/** A file that is to be opened. */
interface PlannedFile extends Recognising {
  readonly context: UnderstandContext; // absent: its zone, its fields and how it rates are not known
}

/** What a person said about a file, beside the answers; what is absent is found out. */
export type FileChoices = Omit<OpenChoices, 'format'> & { readonly format?: string | undefined };

/** What a file is. */
interface RecognisedFile {
  readonly path: string; // of the table that was chosen
  readonly isFolder: boolean; // or an archive of which all files are read
  readonly format?: string; // absent: not known yet, or none that can be read
  readonly why: string; // for the user
  readonly isRecognised: boolean; // by what is in it; false: it was named, or it is the likeliest
  readonly start: FileStart; // empty if it was not read
  readonly sample?: CsvSample | undefined; // only of a table
}

/** What a file is, what it leaves open, and how it is opened. */
export interface OpenPlan extends RecognisedFile {
  readonly pack?: Pack;
  readonly proposal?: Proposal; // only of a CSV without a mapping
  readonly marks?: CopyMarks | undefined; // by which a newer copy is recognised, where rows replace cases
  readonly questions: readonly Question[];
  readonly ignored: readonly string[]; // ids of answers to questions that do not arise
  readonly refusal?: string | undefined; // why it cannot be opened, whatever is answered
  readonly choices?: OpenChoices | undefined; // for `openImport`; absent while a question is open
}

/**
 * Returns how a file is opened, as far as what was said and the answers go. It is answered and asked again as often as
 * needed; the file is read once for each encoding. Throws `ImportFault` if it cannot be read.
 */
export function planOpening(file: PlannedFile, said: FileChoices): (answers: Answers) => Promise<OpenPlan> {
  const zone = said.zone ?? file.context.site?.timeZone ?? 'UTC';
  const lookAt = memoize((path: string) => lookAtFile({ ...file, path }, said));
  const understand = memoize(({ path, start }: RecognisedFile) =>
    understandCsv({ ...file, path }, start.bytes, said.zone),
  );
  return async (answers) => {
    const { opening, questions } = await chooseTable(file, answers, said.mapping === undefined ? said.format : 'csv');
    if (opening === undefined) return { ...SEVERAL, path: file.path, questions };
    const look = await lookAt(opening.path);
    const plan = { ...look, questions, ignored: Object.keys(answers).filter((id) => id !== SHEET) };
    const { format } = look;
    if (format === undefined) return { ...plan, refusal: look.why };
    if (format === 'csv' && said.mapping === undefined)
      return { ...plan, ...(await proposed(look, await understand(look), { ...said, zone }, answers)) };
    if (isPlainFormat(format)) return { ...plan, choices: { ...said, format } };
    return { ...plan, ...(await packed(look, await file.findPack(format, zone), { ...said, format, zone }, answers)) };
  };
}

const UNREAD: FileStart = { name: '', bytes: new Uint8Array() };

/** The plan while the question is open which of several tables is meant. */
const SEVERAL = { why: 'it holds several tables', isFolder: false, isRecognised: false, start: UNREAD, ignored: [] };

/** Finds out what a file is; `said` names it, else its beginning tells. */
async function lookAtFile(file: Recognising, said: FileChoices): Promise<RecognisedFile> {
  const { path } = file;
  const { names, isFolder } = await findInputs(path);
  const named = namedFormat(path, said);
  const [first = path, another] = named?.format === 'csv' ? [path] : names;
  const start = isReadOnce(path) ? UNREAD : await readStart(first, another === undefined ? file.name : undefined);
  const sample = await sniffCsv(start.bytes);
  const recognised = named === undefined ? await recogniseImport(file) : undefined;
  const format = named ?? recognised ?? (isFolder ? undefined : likelyFormat(start, sample));
  const look = { path, isFolder, isRecognised: recognised !== undefined, start };
  if (format === undefined) return { ...look, why: `${path} ${IN_NONE}` };
  const isTable = format.format === 'csv' || !isPlainFormat(format.format);
  return { ...look, ...format, sample: isTable ? sample : undefined };
}

const IN_NONE =
  'is in no format that can be imported: a CSV with a header and rows, NDJSON of records, or objects of Zendesk.';

function namedFormat(path: string, { format, mapping }: FileChoices): Recognised | undefined {
  if (mapping !== undefined) return { format: 'csv', why: 'it was given a mapping' };
  if (format !== undefined) return { format, why: 'it was chosen' };
  return isReadOnce(path) ? { format: 'ndjson', why: 'it can be read only once, and no format was named' } : undefined;
}

const NEWLINE = 0x0a;

/** The format of a file that is in no known one: a table, or records if it holds nothing or its first line is not over yet. */
function likelyFormat({ name, bytes }: FileStart, sample: CsvSample | undefined): Recognised | undefined {
  const isJson = /^\s*[[{]/.test(Buffer.from(bytes.subarray(0, 1_024)).toString('utf8'));
  if (!isJson && sample !== undefined && sample.rows.length > 0)
    return { format: 'csv', why: `it has the columns ${sample.header.slice(0, 8).join(', ')}` };
  if (/\.csv(\.gz)?$/i.test(name)) return { format: 'csv', why: 'its name says so' };
  if (bytes.length === 0) return { format: 'ndjson', why: 'it is empty' };
  if (bytes.length < START || bytes.includes(NEWLINE)) return undefined;
  return { format: 'ndjson', why: 'its first line is long' };
}

type Planned = Partial<OpenPlan>;
type SaidInZone = FileChoices & { readonly zone: string };

/** The plan of a CSV without a mapping, as it is understood with the answers so far. */
async function proposed(
  { path, start }: RecognisedFile,
  understood: UnderstoodFile | undefined,
  said: SaidInZone,
  answers: Answers,
): Promise<Planned> {
  if (understood === undefined) return { refusal: `${shownName(path)} ${whyNoCsv(start)}.` };
  const proposal = await understood.propose(answers);
  const sample = await understood.sample(answers);
  const { questions, ignored } = proposal;
  const mapping = proposal.mapping && completeMapping(proposal.mapping, said.zone);
  return {
    sample,
    proposal,
    questions,
    refusal: proposal.refusal,
    ignored: ignored.filter((id) => id !== SHEET && id !== NEWER_COPY),
    marks: mapping?.kind === 'tickets' ? copyMarks(mapping, sample) : undefined,
    choices: mapping && { ...said, format: 'csv', mapping },
  };
}

function whyNoCsv(start: FileStart): string {
  if (start === UNREAD) return 'can be read only once, so a CSV of it needs a mapping: name its mapping, or save it';
  return start.bytes.length === 0 ? 'is empty' : 'is no CSV: it has no header with at least two columns';
}

/** The plan of a pack's files: the only thing that they may leave open is the encoding. */
async function packed(
  { path, sample }: RecognisedFile,
  pack: Pack,
  said: SaidInZone & Pick<OpenChoices, 'format'>,
  answers: Answers,
): Promise<Planned> {
  const { encoding, questions } = await packEncoding(pack, path, answers);
  const [part, ...others] = pack.parts;
  const [mapping] = part !== undefined && others.length === 0 ? mappingsOf(part, said.zone, pack.name) : [];
  return {
    pack,
    questions,
    ignored: Object.keys(answers).filter((id) => id !== SHEET && id !== ENCODING),
    marks: sample && copyMarks(mapping, sample),
    choices: questions.length > 0 ? undefined : { ...said, encoding },
  };
}
