import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { Command } from 'commander';
import { readStart } from '../../lib/import/file-start.ts';
import { parseMapping } from '../../lib/import/formats/parse-mapping.ts';
import { type Batch, rowsIn } from '../../lib/import/formats/row.ts';
import { newRejections } from '../../lib/import/rejections.ts';
import { sniffCsv } from '../../lib/import/sniff.ts';
import { openFile } from '../../lib/import/source.ts';
import { newStories } from '../../lib/import/story.ts';
import { type Suggestion, suggestMapping } from '../../lib/import/suggest/suggest.ts';
import { Fault } from '../fault.ts';
import { columns } from './columns.ts';
import { type Outcome, print, withExample } from './command.ts';
import { grouped } from './progress.ts';

/** `mapping`: writes a first mapping for a CSV (docs/import.md). */
export function mappingCommand(): Command {
  const command = new Command('mapping')
    .description('look at a CSV and write a mapping to start from')
    .argument('<file>', 'a CSV, gzipped or not')
    .option('--force', 'replace an existing mapping file')
    .option('--json', 'print one JSON document on standard output')
    .showHelpAfterError('(--help lists the arguments and options)');
  return withExample(command, 'mapping tickets.csv').action(async (file: string) => {
    const { force = false, json = false } = command.opts<{ force?: boolean; json?: boolean }>();
    print(await doMapping(file, force), json);
  });
}

async function doMapping(file: string, force: boolean): Promise<Outcome> {
  const { bytes } = await readStart(file);
  const sample = await sniffCsv(bytes);
  if (sample === undefined) throw new Fault(`${file} does not look like a CSV: a header and at least two columns.`, 2);
  const suggestion = suggestMapping(sample);
  if (suggestion === undefined) {
    throw new Fault(
      `${file} has no column that could name the case, or none with times: its columns are ${sample.header.join(', ')}. docs/import.md says how to write a mapping.`,
      2,
    );
  }
  const path = `${file}.mapping.json`;
  const text = `${JSON.stringify(suggestion.mapping, null, 2)}\n`;
  await writeFile(path, text, { flag: force ? 'w' : 'wx' }).catch((error: unknown) => {
    const isThere = error instanceof Object && 'code' in error && error.code === 'EEXIST';
    throw new Fault(isThere ? `${path} exists already: --force replaces it.` : `${path} cannot be written.`, 2);
  });
  const tried = await tryMapping(file, text, path);
  return {
    text: [`Wrote ${path}.`, '', ...noteLines(suggestion), '', ...tried.lines, '', nextLine(file, path)].join('\n'),
    json: { file: path, ...suggestion, ...tried.json },
  };
}

const noteLines = ({ notes }: Suggestion): string[] => [
  columns(
    ['', 'what it says', 'why'],
    notes.map(({ what, why, isSure }) => [isSure ? '' : '?', what, why]),
  ),
  ...(notes.some(({ isSure }) => !isSure) ? ['Look at the lines with a question mark: they are guesses.'] : []),
];

/** Reads the whole file by the mapping and returns the result. */
async function tryMapping(file: string, text: string, path: string) {
  const stories = newStories();
  const rejections = newRejections();
  const records: Record<string, number> = {};
  const mapping = parseMapping(text, path, 'UTC');
  const { batches, findings } = await openFile({ path: file, mapping, folder: tmpdir() });
  for await (const batch of stories.watch(batches))
    count(batch, records, (line, reason) => rejections.add(`${file}:${line}`, reason));
  const { ignored, warnings } = findings.summary();
  const groups = rejections.groups();
  const rows = Object.entries(records).map(([type, times]) => [type, grouped(times)]);
  return {
    json: { records, rejections: groups, ignored, warnings, story: stories.tell() },
    lines: [
      'How the mapping reads the first cases (nothing was imported):',
      ...stories.tell(),
      '',
      columns(['record', 'would be read'], rows),
      ...groups.map(({ reason, count: times, first }) => `Rejected ${grouped(times)} times: ${reason} (${first[0]})`),
      ...warnings.map((warning) => `Note: ${warning}`),
    ],
  };
}

function count(batch: Batch, records: Record<string, number>, reject: (line: number, reason: string) => void): void {
  for (const row of rowsIn(batch)) {
    if ('reason' in row) reject(row.line, row.reason);
    else for (const { type } of row.records) records[type] = (records[type] ?? 0) + 1;
  }
}

const nextLine = (file: string, path: string): string =>
  `Correct ${path} where it is wrong, then: npx support import ${file} --site NAME --map ${path} --dry-run`;
