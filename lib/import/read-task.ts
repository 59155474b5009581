import type { Findings } from './formats/findings.ts';
import type { Inputs } from './formats/inputs.ts';
import { type LineNumbers, placedFault } from './formats/line-numbers.ts';
import { readNdjson } from './formats/ndjson.ts';
import type { Batch } from './formats/row.ts';
import type { LastCasesSlot } from './known/known-cases.ts';
import { type MappedFile, type RowCount, readMapped } from './mapping/mapped.ts';
import type { ReadStoredEvents } from './zendesk/earlier-comments.ts';
import type { ZendeskOptions } from './zendesk/options.ts';
import { readZendesk } from './zendesk/read.ts';

/** Files to read, as plain data, so that a thread can do it. */
export type ReadTask =
  | { readonly format: 'ndjson'; readonly path: string }
  | {
      readonly format: 'csv';
      readonly files: readonly MappedFile[];
      readonly folder: string; // for temporary files
      readonly isLenient?: boolean; // a column that a file lacks counts as empty
      readonly known?: LastCasesSlot | undefined; // only if there is a single file
    }
  | {
      readonly format: 'zendesk';
      readonly paths: readonly string[];
      readonly folder: string; // for temporary files
      readonly options: ZendeskOptions;
    };

/** Where a reading reports its files and findings, and how it reads stored events. */
export interface ReadNotes {
  readonly lineNumbers: LineNumbers;
  readonly findings: Findings;
  readonly eventsOf: ReadStoredEvents; // reads stored events of the site
}

/** Files that are being read. */
export interface RowsReading {
  readonly batches: AsyncIterable<Batch>;
  readonly position: () => number; // bytes read so far, before unpacking
  readonly rows: () => RowCount | undefined; // only for CSVs
}

/** Starts to read the files of a task. */
export function readHere(task: ReadTask, inputs: Inputs, notes: ReadNotes): RowsReading {
  const reading = startReading(task, inputs, notes);
  return { ...reading, batches: placingFaults(reading.batches, notes.lineNumbers) };
}

/** Names the file and the line of a case that has too many rows. */
async function* placingFaults(batches: AsyncIterable<Batch>, { of }: LineNumbers): AsyncGenerator<Batch> {
  try {
    yield* batches;
  } catch (error) {
    throw placedFault(error, of);
  }
}

function startReading(task: ReadTask, inputs: Inputs, notes: ReadNotes): RowsReading {
  const nothing = { position: inputs.position, rows: () => undefined };
  switch (task.format) {
    case 'ndjson':
      return { ...nothing, batches: readLines(task.path, inputs, notes) };
    case 'csv':
      return { ...nothing, ...readMapped(task.files, { ...task, ...notes, open: inputs.open }) };
    case 'zendesk':
      return { ...nothing, batches: readTickets(task, inputs, notes) };
  }
}

async function* readLines(path: string, inputs: Inputs, { lineNumbers }: ReadNotes): AsyncGenerator<Batch> {
  lineNumbers.begin(path);
  yield* readNdjson((await inputs.open(path)).bytes);
}

function readTickets(
  { paths, folder, options }: Extract<ReadTask, { format: 'zendesk' }>,
  inputs: Inputs,
  notes: ReadNotes,
): AsyncGenerator<Batch> {
  async function* files() {
    for (const path of paths) yield { name: path, bytes: (await inputs.open(path)).bytes };
  }
  return readZendesk(files(), { options, folder, ...notes });
}
