import type { Rereads } from '../history/cases/versions.ts';
import { pickRows } from './formats/csv.ts';
import { newFilePlaces } from './formats/file-places.ts';
import { type Findings, newFindings } from './formats/findings.ts';
import { openInput } from './formats/input.ts';
import { type FoundInputs, findInputs, shownName } from './formats/inputs.ts';
import type { LineSet } from './formats/line-set.ts';
import { pickLines } from './formats/lines.ts';
import { dialectOf, type KnownHolder, type RowCount } from './formats/mapped.ts';
import type { Mapping } from './formats/mapping.ts';
import type { Batch, Raw } from './formats/row.ts';
import type { CheckSummary } from './formats/zendesk/check.ts';
import { isOfComment } from './formats/zendesk/comments.ts';
import type { EventsOf } from './formats/zendesk/earlier-comments.ts';
import { SOURCE, type ZendeskOptions } from './formats/zendesk/options.ts';
import type { OriginPart } from './origin.ts';
import { type ReadNotes, type ReadTask, type RowsReading, readHere } from './read-task.ts';

/** What a format says of where its events come from. */
export interface FormatOrigin {
  readonly source: string; // the mapping's, else the format's name
  readonly isNamed: boolean; // appended events bear that source too
  readonly replaces: boolean;
  readonly parts?: readonly OriginPart[]; // of a pack: its events name one of these
}

/** Reads a task elsewhere, in a thread of its own as a rule, where its files' size makes that worth it; undefined: not so. */
export type ReadElsewhere = (task: ReadTask, size: number | undefined, notes: ReadNotes) => RowsReading | undefined;

/** What an import reads, whatever its format. */
export interface Source {
  readonly name: string; // as messages show it
  readonly batches: AsyncIterable<Batch>;
  readonly size: number | undefined; // bytes, packed; undefined: nobody knows
  readonly position: () => number; // bytes taken so far, packed
  readonly rows: () => RowCount | undefined; // of CSVs, whose rows become events only once all are read
  readonly findings: Findings;
  readonly check: () => CheckSummary | undefined; // of Zendesk's objects, where it is asked for
  readonly origin: FormatOrigin;
  readonly known?: KnownHolder; // of a CSV, to be filled before its first row is asked for
  /** Of a log that conflicts with nobody: which events take their new reading; the others keep their first one. */
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

/** What opening files needs beside the task that reads them. */
export interface FilesOpening {
  readonly inputs: FoundInputs;
  readonly readElsewhere?: ReadElsewhere | undefined;
  readonly eventsOf?: EventsOf; // of the site
}

/** What a source has of its files, whatever their format. */
type OpenedFiles = RowsReading & Pick<Source, 'size' | 'findings' | 'placeOf' | 'nameOf' | 'close'> & FilesAgain;

interface FilesAgain {
  readonly headerOf: (file: string) => string | undefined; // of a CSV
  readonly bytesAgain: (file: string) => AsyncIterable<Uint8Array>;
}

/** Starts a task: in a thread of its own, or here. */
export function openFiles(task: ReadTask, { inputs, readElsewhere, eventsOf = noEvents }: FilesOpening): OpenedFiles {
  const [places, findings] = [newFilePlaces(), newFindings()];
  const notes = { places, findings, eventsOf };
  const reading = readElsewhere?.(task, inputs.size, notes) ?? readHere(task, inputs, notes);
  return {
    ...reading,
    size: inputs.size,
    findings,
    placeOf: places.of,
    nameOf: shownName,
    close: inputs.close,
    headerOf: places.header,
    bytesAgain: inputs.again,
  };
}

const noEvents: EventsOf = async () => new Map();

/** A file of records, or of rows with a mapping. */
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
  const known: KnownHolder = {};
  const opened = openFiles({ format: 'csv', files: [{ path, mapping }], folder, known }, opening);
  return { ...opened, ...common, known, ...csvRows(opened, () => mapping) };
}

type Rejecting = Pick<Source, 'rejects' | 'again'>;

/** How the lines of JSON files are rejected. */
const linesOf = ({ bytesAgain }: FilesAgain): Rejecting => ({
  rejects: () => ({ extension: 'ndjson', header: () => undefined }),
  again: (file, lines) => pickLines(bytesAgain(file), lines),
});

/** How the rows of CSVs are rejected. */
export const csvRows = ({ headerOf, bytesAgain }: FilesAgain, mappingOf: (file: string) => Mapping): Rejecting => ({
  rejects: (file) => csvRejects(mappingOf(file), () => headerOf(file)),
  again: (file, lines) => pickRows(bytesAgain(file), dialectOf(mappingOf(file)), lines),
});

/** Rejected rows have the reason in a column of their own, unless the file has no header to name it in. */
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

/** What reading Zendesk's objects needs. */
export interface ZendeskRequest {
  readonly path: string;
  readonly options: ZendeskOptions;
  readonly check?: string | undefined; // a file of ticket metrics
  readonly folder: string; // for a temporary file
  readonly eventsOf: EventsOf; // of the site
  readonly readElsewhere?: ReadElsewhere | undefined;
}

/** Files of what Zendesk's interfaces give: a file, a folder or standard input. */
export async function openZendesk(request: ZendeskRequest): Promise<Source> {
  const { path, options, check, folder } = request;
  const inputs = await findInputs(path);
  if (check !== undefined) await openInput(check); // throws where there is none
  const opened = openFiles({ format: 'zendesk', paths: inputs.names, folder, options, check }, { ...request, inputs });
  const lines = linesOf(opened);
  return {
    ...opened,
    ...lines,
    name: shownName(path),
    rejects: (file) => ({ ...lines.rejects(file), countsEach: true }),
    rereads: isOfComment,
    origin: { source: SOURCE, isNamed: true, replaces: false },
  };
}
