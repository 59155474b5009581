import { ImportFault } from '../import/formats/import-fault.ts';
import type { ImportFiles } from '../import/import-files.ts';
import { type Opening, openImport } from '../import/open.ts';
import { type OpenPlan, planOpening } from '../import/open-plan.ts';
import type { Pack } from '../import/packs/pack.ts';
import { proposalShape } from '../import/proposal/proposal.ts';
import { readGivenMapping } from './given-mapping.ts';
import { previewOf } from './preview.ts';
import { shownQuestions, type Understanding, type UploadChoices } from './shapes.ts';

/** What was found out about a file, and the file ready to read, unless a question is open. */
export interface OpenedUpload {
  readonly files: ImportFiles | undefined; // undefined: questions are open
  readonly found: Omit<Understanding, 'source' | 'sources'>;
  readonly ids: readonly string[]; // of its first cases, if a newer copy can be recognised
}

/** Opens a file as the chosen format, or as the recognised one. Throws `ImportFault`. */
export async function openUpload(sent: Opening, choices: UploadChoices): Promise<OpenedUpload> {
  const { format, mapping: fields, answers = {}, zone, source } = choices;
  const mapping = fields && readGivenMapping(fields, zone ?? sent.context.site.timeZone);
  const plan = await planOpening(sent, { format, mapping, zone, source })(answers);
  if (plan.refusal !== undefined) throw new ImportFault(plan.refusal);
  if (plan.format !== undefined && plan.start.bytes.length === 0) throw new ImportFault(`${plan.path} is empty.`);
  const found = { ...foundIn(plan), ...(fields && { mapping: fields }) };
  if (plan.choices === undefined) return { files: undefined, found, ids: [] };
  const files = await openImport({ ...sent, path: plan.path }, plan.choices);
  const { form = null, ids = [] } = (files.origin.replaces ? plan.marks : undefined) ?? {};
  return { files, found: { ...found, form }, ids };
}

/** A plan as the table keeps it and replies show it. */
function foundIn({ format = 'csv', why, start, sample, pack, proposal, questions }: OpenPlan): OpenedUpload['found'] {
  const { kind = null, roles, meanings, units, fields, mapping = pack && mappingOf(pack), notes = [] } = proposal ?? {};
  const columns = sample?.header;
  return {
    format,
    why,
    form: null,
    mapping: mapping ? { ...mapping } : null,
    notes: notes.map((what) => ({ what, why: '', is_sure: true })),
    preview: previewOf(start, sample),
    questions: shownQuestions(questions),
    proposal: proposal ? proposalShape.parse({ kind, roles, meanings, units, fields, columns }) : null,
  };
}

/** The only mapping of a pack; undefined if it has several or none. */
function mappingOf({ parts }: Pack): Readonly<Record<string, unknown>> | undefined {
  const [mapping, another] = parts.flatMap(({ mappings }) => mappings);
  return another === undefined ? mapping : undefined;
}
