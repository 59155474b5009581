import type { ReplacesStored } from '../history/cases/versions.ts';
import { withoutFormula } from '../text.ts';
import { ALL_TELLINGS } from '../vocabulary.ts';
import { pickRows } from './formats/csv.ts';
import { type Findings, newFindings } from './formats/findings.ts';
import { shownName } from './formats/input.ts';
import { findInputs, type NamedInputs } from './formats/inputs.ts';
import { type LineNumbers, newLineNumbers } from './formats/line-numbers.ts';
import type { LineSet } from './formats/line-set.ts';
import { pickLines } from './formats/lines.ts';
import type { Batch, Raw } from './formats/row.ts';
import type { LastCasesSlot } from './known/known-cases.ts';
import { dialectOf, type RowCount } from './mapping/mapped.ts';
import type { Mapping } from './mapping/mapping.ts';
import { tellsOf } from './mapping/tells.ts';
import type { FormatOrigin } from './origin.ts';
import { type ReadNotes, type ReadTask, type RowsReading, readHere } from './read-task.ts';
import type { RejectsForm } from './rejects/rejects.ts';
import { isOfComment } from './zendesk/comments.ts';
import type { ReadStoredEvents } from './zendesk/earlier-comments.ts';
import { ZENDESK_SOURCE, type ZendeskOptions } from './zendesk/options.ts';

/** Reads a task elsewhere, mostly in a thread, if its files are large enough; undefined if not. */
export type ReadElsewhere = (task: ReadTask, size: number | undefined, notes: ReadNotes) => RowsReading | undefined;

/** The opened files of an import, of any format. */
export interface ImportFiles {
  readonly name: string; // for messages
  readonly batches: AsyncIterable<Batch>;
  readonly size: number | undefined; // bytes before unpacking; undefined if unknown
  readonly position: () => number; // bytes read so far, before unpacking
  readonly rows: () => RowCount | undefined; // only for CSVs, whose rows become events only once all are read
  readonly findings: Findings;
  readonly origin: FormatOrigin;
  readonly known?: LastCasesSlot | undefined; // only for CSVs; fill it before the first row is read
  /**
   * For a log without conflicts: events whose new content replaces the stored one; all other events keep the first one.
   */
  readonly replacesStored?: ReplacesStored;
  readonly placeOf: LineNumbers['of'];
  readonly rejects: (file: string) => RejectsForm;
  readonly again: (file: string, lines: LineSet) => AsyncIterable<readonly [line: number, raw: Raw]>;
  readonly close: () => Promise<void>;
}

const unnamed = (format: string, tells: FormatOrigin['tells']): FormatOrigin => ({
  source: format,
  isNamed: false,
  replaces: false,
  tells,
});

const originOfMapping = (mapping: Mapping): FormatOrigin => {
  const replaces = mapping.kind === 'tickets';
  if (mapping.kind === 'members' || mapping.source === '') return { ...unnamed('csv', tellsOf(mapping)), replaces };
  return { source: mapping.source, isNamed: true, replaces, tells: tellsOf(mapping) };
};

/** The parameters to open files, beside the task. */
export interface FilesOpening {
  readonly inputs: NamedInputs;
  readonly readElsewhere?: ReadElsewhere | undefined;
  readonly eventsOf?: ReadStoredEvents; // reads stored events of the site
}

/** The part of a source that is the same for all formats. */
type OpenedFiles = RowsReading & Pick<ImportFiles, 'size' | 'findings' | 'placeOf' | 'close'> & FilesAgain;

interface FilesAgain {
  readonly headerOf: (file: string) => string | undefined; // only of a CSV
  readonly bytesAgain: (file: string) => AsyncIterable<Uint8Array>;
}

/** Starts to read a task, in a thread or here. */
export function openFiles(task: ReadTask, { inputs, readElsewhere, eventsOf = noEvents }: FilesOpening): OpenedFiles {
  const [lineNumbers, findings] = [newLineNumbers(), newFindings()];
  const notes = { lineNumbers, findings, eventsOf };
  const reading = readElsewhere?.(task, inputs.size, notes) ?? readHere(task, inputs, notes);
  return {
    ...reading,
    size: inputs.size,
    findings,
    placeOf: lineNumbers.of,
    close: inputs.close,
    headerOf: lineNumbers.header,
    bytesAgain: inputs.again,
  };
}

const noEvents: ReadStoredEvents = async () => new Map();

/** Opens a file of records. */
export async function openNdjson(path: string, readElsewhere?: ReadElsewhere): Promise<ImportFiles> {
  const opened = openFiles({ format: 'ndjson', path }, { inputs: await findInputs(path), readElsewhere });
  return { ...opened, ...linesOf(opened), name: shownName(path), origin: unnamed('ndjson', ALL_TELLINGS) };
}

/** A CSV and its mapping. */
export interface CsvRequest {
  readonly path: string;
  readonly mapping: Mapping;
  readonly folder: string; // for a temporary file
  readonly readElsewhere?: ReadElsewhere | undefined;
}

/** Opens a CSV. */
export async function openCsv({ path, mapping, folder, readElsewhere }: CsvRequest): Promise<ImportFiles> {
  const lastCases: LastCasesSlot = {};
  const task = { format: 'csv', files: [{ path, mapping }], folder, known: lastCases } as const;
  const opened = openFiles(task, { inputs: await findInputs(path), readElsewhere });
  return {
    ...opened,
    ...csvRows(opened, () => mapping),
    known: lastCases,
    name: shownName(path),
    origin: originOfMapping(mapping),
  };
}

type Rejecting = Pick<ImportFiles, 'rejects' | 'again'>;

/** Returns how rejected lines of JSON files are written. */
const linesOf = ({ bytesAgain }: FilesAgain): Rejecting => ({
  rejects: () => ({ extension: 'ndjson', header: () => undefined }),
  again: (file, lines) => pickLines(bytesAgain(file), lines),
});

/** Returns how rejected rows of CSVs are written. */
export const csvRows = ({ headerOf, bytesAgain }: FilesAgain, mappingOf: (file: string) => Mapping): Rejecting => ({
  rejects: (file) => csvRejects(mappingOf(file), () => headerOf(file)),
  again: (file, lines) => pickRows(bytesAgain(file), dialectOf(mappingOf(file)), lines),
});

/** Writes the reason of a rejected row in a column of its own, unless the file has no header. */
function csvRejects({ csv }: Mapping, header: () => string | undefined): RejectsForm {
  if (csv.columns !== undefined) return { extension: 'csv', header };
  const quote = csv.quote === '' ? '' : csv.quote;
  const cell = (text: string): string =>
    `${csv.separator}${quote}${withoutFormula(text.replaceAll(/["\n\r]/g, "'"))}${quote}`;
  return {
    extension: 'csv',
    header: () => {
      const top = header();
      return top === undefined ? undefined : `${top}${cell('rejected because')}`;
    },
    because: cell,
  };
}

/** The parameters to open files of Zendesk's objects. */
export interface ZendeskRequest {
  readonly path: string;
  readonly options: ZendeskOptions;
  readonly folder: string; // for a temporary file
  readonly eventsOf: ReadStoredEvents; // reads stored events of the site
  readonly readElsewhere?: ReadElsewhere | undefined;
}

/** Opens files of objects from Zendesk's API: a file, a folder or standard input. */
export async function openZendesk(request: ZendeskRequest): Promise<ImportFiles> {
  const { path, options, folder } = request;
  const inputs = await findInputs(path);
  const opened = openFiles({ format: 'zendesk', paths: inputs.names, folder, options }, { ...request, inputs });
  const lines = linesOf(opened);
  return {
    ...opened,
    ...lines,
    name: shownName(path),
    rejects: (file) => ({ ...lines.rejects(file), countsEach: true }),
    replacesStored: isOfComment,
    origin: { source: ZENDESK_SOURCE, isNamed: true, replaces: false, tells: [] }, // its batches say what they tell
  };
}
