import type { Rereads } from '../history/cases/versions.ts';
import { pickRows } from './formats/csv.ts';
import { type Findings, newFindings } from './formats/findings.ts';
import { openInput } from './formats/input.ts';
import { type FoundInputs, findInputs, shownName } from './formats/inputs.ts';
import { newLineNumbers } from './formats/line-numbers.ts';
import type { LineSet } from './formats/line-set.ts';
import { pickLines } from './formats/lines.ts';
import { dialectOf, type KnownCasesSlot, type RowCount } from './formats/mapped.ts';
import type { Mapping } from './formats/mapping.ts';
import type { Batch, Raw } from './formats/row.ts';
import type { CheckSummary } from './formats/zendesk/check.ts';
import { isOfComment } from './formats/zendesk/comments.ts';
import type { ReadStoredEvents } from './formats/zendesk/earlier-comments.ts';
import { ZENDESK_SOURCE, type ZendeskOptions } from './formats/zendesk/options.ts';
import type { OriginPart } from './origin.ts';
import { type ReadNotes, type ReadTask, type RowsReading, readHere } from './read-task.ts';

/** The default source of a format's events. */
export interface FormatOrigin {
  readonly source: string; // the mapping's source, else the format's name
  readonly isNamed: boolean; // events carry the source even if the import only appends
  readonly replaces: boolean;
  readonly parts?: readonly OriginPart[]; // only of a pack: its events name one of these
}

/** Reads a task elsewhere, mostly in a thread, if its files are large enough; undefined if not. */
export type ReadElsewhere = (task: ReadTask, size: number | undefined, notes: ReadNotes) => RowsReading | undefined;

/** The opened files of an import, of any format. */
export interface Source {
  readonly name: string; // for messages
  readonly batches: AsyncIterable<Batch>;
  readonly size: number | undefined; // bytes before unpacking; undefined if unknown
  readonly position: () => number; // bytes read so far, before unpacking
  readonly rows: () => RowCount | undefined; // only for CSVs, whose rows become events only once all are read
  readonly findings: Findings;
  readonly check: () => CheckSummary | undefined; // only for Zendesk's objects, if a file of metrics was given
  readonly origin: FormatOrigin;
  readonly known?: KnownCasesSlot; // only for CSVs; fill it before the first row is read
  /**
   * For a log without conflicts: events whose new content replaces the stored one; all other events keep the first one.
   */
  readonly rereads?: Rereads;
  readonly placeOf: (line: number) => { readonly file: string; readonly line: number };
  readonly nameOf: (file: string) => string;
  readonly rejects: (file: string) => RejectsForm;
  readonly again: (file: string, lines: LineSet) => AsyncIterable<readonly [line: number, raw: Raw]>;
  readonly close: () => Promise<void>;
}

/** How rejected lines are written. */
export interface RejectsForm {
  readonly extension: 'ndjson' | 'csv';
  readonly header: () => string | undefined;
  readonly because?: (reason: string) => string;
  readonly countsEach?: boolean;
}

const originOfMapping = (mapping: Mapping | undefined): FormatOrigin => {
  const name = mapping === undefined || mapping.kind === 'members' ? '' : mapping.source;
  const format = mapping === undefined ? 'ndjson' : 'csv';
  return { source: name === '' ? format : name, isNamed: name !== '', replaces: mapping?.kind === 'tickets' };
};

/** The parameters to open files, beside the task. */
export interface FilesOpening {
  readonly inputs: FoundInputs;
  readonly readElsewhere?: ReadElsewhere | undefined;
  readonly eventsOf?: ReadStoredEvents; // reads stored events of the site
}

/** The part of a source that is the same for all formats. */
type OpenedFiles = RowsReading & Pick<Source, 'size' | 'findings' | 'placeOf' | 'nameOf' | 'close'> & FilesAgain;

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
    nameOf: shownName,
    close: inputs.close,
    headerOf: lineNumbers.header,
    bytesAgain: inputs.again,
  };
}

const noEvents: ReadStoredEvents = async () => new Map();

/** Opens a file: NDJSON without a mapping, a CSV with one. */
export async function openFile(
  { path, mapping, folder }: { readonly path: string; readonly mapping: Mapping | undefined; readonly folder: string },
  readElsewhere?: ReadElsewhere,
): Promise<Source> {
  const opening = { inputs: await findInputs(path), readElsewhere };
  const common = { name: shownName(path), origin: originOfMapping(mapping) };
  if (mapping === undefined) {
    const opened = openFiles({ format: 'ndjson', path }, opening);
    return { ...opened, ...common, ...linesOf(opened) };
  }
  const known: KnownCasesSlot = {};
  const opened = openFiles({ format: 'csv', files: [{ path, mapping }], folder, known }, opening);
  return { ...opened, ...common, known, ...csvRows(opened, () => mapping) };
}

type Rejecting = Pick<Source, 'rejects' | 'again'>;

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
  const cell = (text: string): string => `${csv.separator}${quote}${text.replaceAll(/["\n\r]/g, "'")}${quote}`;
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
  readonly check?: string | undefined; // a file of ticket metrics
  readonly folder: string; // for a temporary file
  readonly eventsOf: ReadStoredEvents; // reads stored events of the site
  readonly readElsewhere?: ReadElsewhere | undefined;
}

/** Opens files of objects from Zendesk's API: a file, a folder or standard input. */
export async function openZendesk(request: ZendeskRequest): Promise<Source> {
  const { path, options, check, folder } = request;
  const inputs = await findInputs(path);
  if (check !== undefined) await openInput(check); // throws if there is no such file
  const opened = openFiles({ format: 'zendesk', paths: inputs.names, folder, options, check }, { ...request, inputs });
  const lines = linesOf(opened);
  return {
    ...opened,
    ...lines,
    name: shownName(path),
    rejects: (file) => ({ ...lines.rejects(file), countsEach: true }),
    rereads: isOfComment,
    origin: { source: ZENDESK_SOURCE, isNamed: true, replaces: false },
  };
}
