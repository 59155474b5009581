import type { Rereads } from '../history/cases/versions.ts';
import { pickRows } from './formats/csv.ts';
import { newFilePlaces } from './formats/file-places.ts';
import { type Findings, newFindings } from './formats/findings.ts';
import { ImportFault } from './formats/import-fault.ts';
import { type Input, openInput } from './formats/input.ts';
import { findInputs } from './formats/inputs.ts';
import type { LineSet } from './formats/line-set.ts';
import { pickLines } from './formats/lines.ts';
import { dialectOf, type KnownHolder, type MappedOptions, type RowCount, readMapped } from './formats/mapped.ts';
import type { Mapping } from './formats/mapping.ts';
import { readNdjson } from './formats/ndjson.ts';
import type { Batch, Raw } from './formats/row.ts';
import { type Check, type CheckSummary, openCheck } from './formats/zendesk/check.ts';
import { isOfComment } from './formats/zendesk/comments.ts';
import type { EventsOf } from './formats/zendesk/earlier-comments.ts';
import { SOURCE, type ZendeskOptions } from './formats/zendesk/options.ts';
import { readZendesk } from './formats/zendesk/read.ts';
import type { OriginPart } from './origin.ts';

/** What a format says of where its events come from. */
export interface FormatOrigin {
  readonly source: string; // the mapping's, else the format's name
  readonly isNamed: boolean; // appended events bear that source too
  readonly replaces: boolean;
  readonly parts?: readonly OriginPart[]; // of a pack: its events name one of these
}

/** Rows of a file that is read elsewhere, in a thread of its own as a rule. */
export interface RowsElsewhere {
  readonly batches: AsyncIterable<Batch>;
  readonly header: () => string | undefined; // of a CSV
  readonly rows: () => RowCount | undefined; // of a CSV
  readonly position: () => number; // bytes of the file taken so far, packed
}

/** What is to be read elsewhere: a file, by a mapping or as NDJSON, with a folder for temporary files. */
export interface ElsewhereRequest {
  readonly path: string;
  readonly mapping: Mapping | undefined;
  readonly folder: string;
  readonly known?: KnownHolder;
}

/** Reads a file elsewhere where that is worth it; undefined where it is not. */
export type ReadElsewhere = (
  request: ElsewhereRequest & { readonly size: number | undefined },
  findings: Findings,
) => RowsElsewhere | undefined;

/** What an import reads, whatever its format. */
export interface Source {
  readonly name: string; // as messages show it
  readonly batches: AsyncIterable<Batch>;
  readonly size: number | undefined; // bytes, packed; undefined: nobody knows
  readonly position: () => number; // bytes taken so far, packed
  readonly rows?: () => RowCount | undefined; // of a CSV, whose rows become events only once all are read
  readonly findings: Findings;
  readonly check?: () => CheckSummary;
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

/** A file of records, or of rows with a mapping. */
export async function openFile(request: ElsewhereRequest, readElsewhere?: ReadElsewhere): Promise<Source> {
  const { path, mapping, folder } = request;
  const input = await openInput(path);
  const findings = newFindings();
  const known: KnownHolder = {};
  const read = readElsewhere?.({ ...request, known, size: input.size }, findings) ?? {
    ...readHere(input, mapping, { folder, findings, known }),
    position: input.position,
  };
  const rejects =
    mapping === undefined ? { extension: 'ndjson' as const, header: read.header } : csvRejects(mapping, read.header);
  return {
    ...read,
    name: input.name,
    size: input.size,
    findings,
    ...(mapping === undefined ? {} : { known }),
    origin: originOfMapping(mapping),
    placeOf: (line) => ({ file: path, line }),
    nameOf: () => input.name,
    rejects: () => rejects,
    again: (_, lines) =>
      mapping === undefined ? pickLines(input.again(), lines) : pickRows(input.again(), dialectOf(mapping), lines),
    close: input.close,
  };
}

const readHere = ({ bytes }: Input, mapping: Mapping | undefined, options: MappedOptions) =>
  mapping === undefined ? { batches: readNdjson(bytes), header: () => undefined } : readMapped(bytes, mapping, options);

/** Rejected rows have the reason in a column of their own, unless the file has no header to name it in. */
export function csvRejects({ csv }: Mapping, header: () => string | undefined): RejectsForm {
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
}

/** Files of what Zendesk's interfaces give: a file, a folder or standard input. */
export async function openZendesk({ path, options, check, folder, eventsOf }: ZendeskRequest): Promise<Source> {
  const inputs = await findInputs(path);
  const places = newFilePlaces();
  const findings = newFindings();
  const checking: Check | undefined = check === undefined ? undefined : await openCheck(await openInput(check));
  const close: (() => Promise<void>)[] = [];
  const opened = new Map<string, Input>();
  async function* files(): AsyncGenerator<Input & { readonly name: string }> {
    for await (const input of inputs.files()) {
      close.push(input.close);
      opened.set(input.name, input);
      yield input;
    }
  }
  const onTicket = checking === undefined ? {} : { onTicket: checking.compare };
  return {
    name: path === '-' ? 'standard input' : path,
    batches: readZendesk(files(), { options, folder, places, findings, eventsOf, ...onTicket }),
    size: inputs.size,
    position: inputs.position,
    findings,
    ...(checking === undefined ? {} : { check: checking.summary }),
    rereads: isOfComment,
    origin: { source: SOURCE, isNamed: true, replaces: false },
    placeOf: (line) => {
      const place = places.of(line);
      return path === '-' ? { ...place, file: '-' } : place;
    },
    nameOf: (file) => (file === '-' ? 'standard input' : file),
    rejects: () => ({ extension: 'ndjson', header: () => undefined, countsEach: true }),
    again: (file, lines) => {
      const input = opened.get(file === '-' ? 'standard input' : file);
      if (input === undefined) throw new ImportFault(`${file} was not read.`);
      return pickLines(input.again(), lines);
    },
    close: async () => {
      for (const one of close) await one();
    },
  };
}
