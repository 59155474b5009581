import { isPlainFormat } from '../import/format-names.ts';
import { ImportFault } from '../import/formats/import-fault.ts';
import type { ImportFiles } from '../import/import-files.ts';
import type { Mapping } from '../import/mapping/mapping.ts';
import { copyMarks } from '../import/newer-copy.ts';
import { askPackEncoding, type Opening, openImport, readOpening, recogniseImport } from '../import/open.ts';
import { mappingsOf, type Pack } from '../import/packs/pack.ts';
import { type Proposal, proposalShape, type Question } from '../import/proposal/proposal.ts';
import type { FileStart, Recognised } from '../import/recognise.ts';
import { type CsvSample, sniffCsv } from '../import/sniff.ts';
import { chooseTable } from '../import/table-choice.ts';
import { understandCsv, whyNotUnderstood } from '../import/understand.ts';
import { readGivenMapping } from './given-mapping.ts';
import { previewOf } from './preview.ts';
import { type FoundFile, shownQuestions, type UploadChoices } from './shapes.ts';

/** What was found out about a file, and the file ready to read, unless a question is open. */
export interface OpenedUpload {
  readonly files: ImportFiles | undefined; // undefined: questions are open
  readonly found: Omit<FoundFile, 'source' | 'sources'>;
  readonly ids: readonly string[]; // of its first cases, if a newer copy can be recognised
}

type FoundFormat = Pick<FoundFile, 'format' | 'why' | 'preview'>;

const NOTHING = { mapping: null, notes: [], questions: [], proposal: null, form: null };

/** Opens a file as the chosen format, or as the recognised one. Throws `ImportFault`. */
export async function openUpload(sent: Opening, choices: UploadChoices): Promise<OpenedUpload> {
  const format = choices.mapping === undefined ? choices.format : 'csv';
  const { opening, questions } = await chooseTable(sent, choices.answers ?? {}, format);
  return opening === undefined ? asking(SEVERAL, questions) : openTable(opening, choices);
}

const SEVERAL: FoundFormat = { format: 'csv', why: 'it holds several tables', preview: { lines: [] } };

/** Asks before anything can be read. */
const asking = (common: FoundFormat, questions: readonly Question[]): OpenedUpload => ({
  files: undefined,
  found: { ...common, ...NOTHING, questions: shownQuestions(questions) },
  ids: [],
});

async function openTable(opening: Opening, choices: UploadChoices): Promise<OpenedUpload> {
  const start = await readOpening(opening);
  const sample = await sniffCsv(start.bytes);
  const { format, why } = await formatOf(opening, choices, start, sample);
  const isTable = format === 'csv' || !isPlainFormat(format);
  const common = { format, why, preview: previewOf(start, isTable ? sample : undefined) };
  if (format === 'csv') {
    if (choices.mapping !== undefined) return withMapping(opening, choices.mapping, choices, common);
    return withProposal(opening, choices, start, common);
  }
  const { encoding, questions } = await askPackEncoding(opening, { format }, choices.answers ?? {});
  if (questions.length > 0) return asking(common, questions);
  const files = await openImport(opening, { format, zone: choices.zone, source: choices.source, encoding });
  if (!isTable) return { files, found: { ...common, ...NOTHING }, ids: [] };
  const zone = choices.zone ?? opening.context.site.timeZone;
  const pack = await opening.findPack(format, zone);
  const [mapping] = pack.parts.length === 1 ? pack.parts.flatMap((part) => mappingsOf(part, zone, pack.name)) : [];
  return withMarks({ files, found: { ...common, ...NOTHING, mapping: mappingOf(pack) }, ids: [] }, mapping, sample);
}

async function formatOf(
  opening: Opening,
  choices: UploadChoices,
  start: FileStart,
  sample: CsvSample | undefined,
): Promise<Recognised> {
  if (choices.mapping !== undefined) return { format: 'csv', why: 'it was given a mapping' };
  if (choices.format !== undefined) return { format: choices.format, why: 'it was chosen' };
  const found = await recogniseImport(opening);
  if (found !== undefined) return found;
  if (sample !== undefined) return { format: 'csv', why: `it has the columns ${sample.header.slice(0, 8).join(', ')}` };
  throw new ImportFault(
    `${start.name} is in no format that can be imported: a CSV with a header, NDJSON of records, or objects of Zendesk.`,
  );
}

async function withMapping(
  opening: Opening,
  fields: Readonly<Record<string, unknown>>,
  { zone = opening.context.site.timeZone }: UploadChoices,
  common: FoundFormat,
): Promise<OpenedUpload> {
  const files = await openImport(opening, { format: 'csv', mapping: readGivenMapping(fields, zone) });
  return { files, found: { ...common, ...NOTHING, mapping: { ...fields } }, ids: [] };
}

/** Opens a CSV as it is understood with the answers so far. */
async function withProposal(
  opening: Opening,
  { answers = {}, zone }: UploadChoices,
  start: FileStart,
  common: FoundFormat,
): Promise<OpenedUpload> {
  const understood = await understandCsv(opening, start.bytes, zone);
  if (understood === undefined) throw new ImportFault(`${start.name} is no CSV: it has no header with two columns.`);
  const proposal = await understood.propose(answers);
  const sample = await understood.sample(answers);
  const refusal = whyNotUnderstood(proposal);
  if (refusal !== undefined) throw new ImportFault(refusal);
  const preview = previewOf(start, sample);
  const found = { ...common, preview, ...NOTHING, ...shownProposal(proposal, sample.header) };
  if (proposal.mapping === undefined) return { files: undefined, found, ids: [] };
  const mapping = readGivenMapping(proposal.mapping, zone ?? opening.context.site.timeZone);
  const files = await openImport(opening, { format: 'csv', mapping });
  return withMarks({ files, found: { ...found, mapping: { ...proposal.mapping } }, ids: [] }, mapping, sample);
}

/** The parts of a proposal as the table keeps them and replies show them. */
function shownProposal(
  { kind, roles, meanings, units, questions, notes }: Proposal,
  columns: readonly string[],
): Pick<FoundFile, 'questions' | 'proposal' | 'notes'> {
  return {
    questions: shownQuestions(questions),
    proposal: proposalShape.parse({ kind: kind ?? null, roles, meanings, units, columns }),
    notes: notes.map((what) => ({ what, why: '', is_sure: true })),
  };
}

function withMarks(opened: OpenedUpload, mapping: Mapping | undefined, sample: CsvSample | undefined): OpenedUpload {
  const marks = opened.files?.origin.replaces && sample ? copyMarks(mapping, sample) : undefined;
  return marks === undefined ? opened : { ...opened, found: { ...opened.found, form: marks.form }, ids: marks.ids };
}

/** The only mapping of a pack; null if it has several or none. */
function mappingOf({ parts }: Pack): Record<string, unknown> | null {
  const [mapping, another] = parts.flatMap(({ mappings }) => mappings);
  return another === undefined ? (mapping ?? null) : null;
}
