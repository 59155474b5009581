import { isAscii, isUtf8 } from 'node:buffer';
import { customFields } from '../access/reference.ts';
import { keys } from '../store/keys.ts';
import { openCollection } from '../store/site-table.ts';
import { answeredEncoding, chooseEncoding, ENCODING } from './encoding-choice.ts';
import { encodingCandidates, isLabelOfUtf8 } from './formats/encodings.ts';
import { ImportFault } from './formats/import-fault.ts';
import { openInput } from './formats/input.ts';
import type { ImportContext } from './import-rows.ts';
import type { Opening } from './open.ts';
import type { Answers } from './proposal/proposal.ts';
import { type Proposal, type ProposeContext, propose } from './proposal/propose.ts';
import { type Survey, surveyCsv, surveyOf } from './proposal/survey.ts';
import { type CsvSample, sniffCsv } from './sniff.ts';

/** A CSV without a mapping; it is asked and answered over as often as needed, and read once for each encoding. */
export interface UnderstoodFile {
  readonly propose: (answers: Answers) => Promise<Proposal>;
  readonly sample: (answers: Answers) => Promise<CsvSample>; // its beginning, in the encoding that was answered
}

/** The site that a file is for, as far as it is known. */
export type UnderstandContext = Partial<Pick<ImportContext, 'site' | 'table' | 'collections'>>;

/** The names of the custom fields of cases that a site has. */
async function fieldsOf({ site, table, collections }: UnderstandContext): Promise<ReadonlySet<string>> {
  if (site === undefined || table === undefined || collections === undefined) return new Set();
  const collection = await openCollection({ table, collections }, keys.reference(site.name, 'custom_field'));
  return new Set(customFields(collection).flatMap(({ name, object }) => (object === 'case' ? [name] : [])));
}

/** The file in one encoding. */
interface Reading {
  readonly encoding: string;
  readonly sample: CsvSample;
  readonly survey: Survey;
  readonly broken: Uint8Array | undefined; // the beginning, and a later part that is not in this encoding
}

/**
 * Reads a CSV from its beginning to its end, to understand it (docs/design/first-contact.md). `start` is its beginning.
 * Undefined if that looks like no CSV. While its encoding is asked, only questions that read the same in all encodings
 * are asked beside.
 */
export async function understandCsv(
  { path, context }: Pick<Opening, 'path'> & { readonly context: UnderstandContext },
  start: Uint8Array,
  zone: string | undefined,
): Promise<UnderstoodFile | undefined> {
  if ((await sniffCsv(start)) === undefined) return undefined;
  const { site } = context;
  const fields = await fieldsOf(context);
  const known = { zone, fields, ...(site && { siteZone: site.timeZone, rating: site.rating }) };
  let telling = start;
  let last: Reading | undefined;
  const read = async (answers: Answers): Promise<Reading> => {
    const encoding = answeredEncoding(answers) ?? encodingCandidates(telling)[0];
    if (last?.encoding === encoding) return last;
    last = await readAs(encoding, path, start, known);
    if (last.broken === undefined || answeredEncoding(answers) !== undefined) return last;
    telling = last.broken;
    return read(answers);
  };
  return {
    sample: async (answers) => (await read(answers)).sample,
    async propose(answers) {
      const proposal = propose((await read(answers)).survey, answers, known);
      const { questions } = await chooseEncoding(telling, answers, usedColumns(proposal));
      const ignored = proposal.ignored.filter((id) => id !== ENCODING);
      if (questions.length === 0) return { ...proposal, ignored };
      const reads = (value: unknown): boolean => isAscii(Buffer.from(JSON.stringify(value)));
      const others = proposal.questions
        .map((question) => ({ ...question, examples: question.examples?.filter(reads) ?? [] }))
        .filter(reads);
      return { ...proposal, ignored, questions: [...questions, ...others], mapping: undefined, refusal: undefined };
    },
  };
}

/** The columns that count so far: all as long as it is not known what a row is. */
function usedColumns({ kind, roles, fields, questions }: Proposal): (column: string) => boolean {
  if (kind === undefined) return () => true;
  const used = new Set<unknown>([
    ...[...roles, ...fields].map(({ column }) => column),
    ...questions.flatMap(({ column, choices }) => [column, ...choices.map(({ answer }) => answer)]),
  ]);
  return (column) => used.has(column);
}

const LONGEST = 65_536; // bytes of a later part of the file
const [ASCII, LF] = [0x7f, 0x0a];
const isInside = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x80 && byte < 0xc0;

/** A part of a text without the incomplete characters of UTF-8 at its ends. */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  let from = 0;
  while (from < 3 && isInside(bytes[from])) from += 1;
  let to = bytes.length;
  while (to > bytes.length - 3 && isInside(bytes[to - 1])) to -= 1;
  if ((bytes[to - 1] ?? 0) < 0xc0) return bytes.subarray(from);
  return bytes.subarray(from, to - 1);
}

const MOST_COLUMNS = 5_000; // each is looked at for 0.8 ms

async function readAs(encoding: string, path: string, start: Uint8Array, context: ProposeContext): Promise<Reading> {
  const sample = await sniffCsv(start, encoding);
  if (sample === undefined) throw new ImportFault(`Read as ${encoding}, the file has no header with two columns.`);
  const { dialect, header, rows } = sample;
  if (header.length > MOST_COLUMNS)
    throw new ImportFault(`The file has more than ${MOST_COLUMNS} columns: export fewer.`);
  const begun = propose(surveyOf(dialect, header, rows), {}, context);
  const key = begun.roles.find(({ role }) => role === 'case')?.column ?? undefined;
  const input = await openInput(path);
  let later: Uint8Array | undefined;
  async function* watched(): AsyncGenerator<Uint8Array> {
    for await (const chunk of input.bytes) {
      if (later === undefined && isLabelOfUtf8(encoding) && !isUtf8(wholeCharacters(chunk))) later = fromOther(chunk);
      yield chunk;
    }
  }
  const survey = await surveyCsv(watched(), dialect, key);
  const broken = later && Buffer.concat([start.subarray(0, start.lastIndexOf(LF) + 1), later, Buffer.from('\n')]);
  return { encoding, sample, survey, broken };
}

/** Bytes from the first line of a part that has more than ASCII. */
function fromOther(chunk: Uint8Array): Uint8Array {
  const from =
    chunk.lastIndexOf(
      LF,
      chunk.findIndex((byte) => byte > ASCII),
    ) + 1;
  return Uint8Array.from(chunk.subarray(from, from + LONGEST));
}
