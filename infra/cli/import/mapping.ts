import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Command } from 'commander';
import { packedAround } from '../../../lib/import/formats/input.ts';
import { type Batch, rowsIn } from '../../../lib/import/formats/row.ts';
import { openCsv } from '../../../lib/import/import-files.ts';
import type { Mapping } from '../../../lib/import/mapping/mapping.ts';
import { completeMapping } from '../../../lib/import/mapping/parse-mapping.ts';
import { planOpening } from '../../../lib/import/open-plan.ts';
import type { ColumnMeanings } from '../../../lib/import/proposal/proposal.ts';
import type { Proposal } from '../../../lib/import/proposal/propose.ts';
import { newRejections } from '../../../lib/import/rejects/rejections.ts';
import { newStories, storyLines } from '../../../lib/import/story.ts';
import { Fault } from '../../fault.ts';
import { columns } from '../columns.ts';
import { bareCommand, JSON_OPTION, line, type OptionsOf, type Outcome, toggle } from '../command.ts';
import { grouped } from '../progress.ts';
import { ANSWERS, readAnswers } from './answers.ts';
import { openQuestions, settle, settlingOf } from './questions.ts';
import { findPack } from './recognise.ts';

const OPTIONS = {
  zone: line('<zone>', 'time zone of times without offset'),
  ...ANSWERS,
  force: toggle('replace existing files'),
  json: JSON_OPTION,
};

/** `mapping`: writes down how a CSV is understood (docs/import.md). */
export const mappingCommand = (): Command =>
  bareCommand(
    [
      'mapping',
      'look at a CSV, and write its mapping and the answers to its questions, to keep',
      'tickets.csv',
      ['<file>', 'a CSV, gzipped or not'],
    ],
    OPTIONS,
    (options, [file = '']) => doMapping(file, options),
  );

async function doMapping(file: string, options: OptionsOf<typeof OPTIONS>): Promise<Outcome> {
  const planned = planOpening({ path: file, findPack, context: {} }, { format: 'csv', zone: options.zone });
  const { proposal: plan, answers } = await settle(planned, await readAnswers(options), settlingOf(options));
  const { path: table, proposal, refusal, questions } = plan;
  if (refusal !== undefined)
    throw new Fault(proposal === undefined ? refusal : `${refusal} docs/import.md says how to write a mapping.`, 2);
  if (proposal?.mapping === undefined) return openQuestions(questions);
  const beside = packedAround(table) ?? table;
  const path = `${beside}.mapping.json`;
  const answersPath = `${beside}.answers.json`;
  await write(path, `${JSON.stringify(proposal.mapping, null, 2)}\n`, options.force);
  const isAnswered = Object.keys(answers).length > 0;
  if (isAnswered) await write(answersPath, `${JSON.stringify(answers, null, 2)}\n`, options.force);
  const tried = await tryMapping(table, completeMapping(proposal.mapping, 'UTC'));
  const wrote = isAnswered ? `Wrote ${path}, and the answers to ${answersPath}.` : `Wrote ${path}.`;
  return {
    text: [wrote, '', ...foundLines(proposal), '', ...tried.lines, '', nextLine(table, path)].join('\n'),
    json: { file: path, answers: isAnswered ? answersPath : null, ...proposal, ...tried.json },
  };
}

const write = (path: string, text: string, isForced = false): Promise<void> =>
  writeFile(path, text, { flag: isForced ? 'w' : 'wx' }).catch((error: unknown) => {
    const isThere = error instanceof Object && 'code' in error && error.code === 'EEXIST';
    throw new Fault(isThere ? `${path} exists already: --force replaces it.` : `${path} cannot be written.`, 2);
  });

/** The roles of columns and the meanings of values, and why. */
const foundLines = ({ roles, fields, meanings, notes }: Proposal): string[] => [
  columns(
    ['column', 'is', 'why'],
    [
      ...roles.flatMap(({ label, column, why }) => (column === null ? [] : [[column, label, why]])),
      ...fields.map(({ column, name, why }) => [column, `Custom field ${name}`, why]),
    ],
  ),
  ...meanings.map(meaningLine),
  ...notes,
];

const LISTED = 12; // values in a line

const meaningLine = ({ column, values }: ColumnMeanings): string => {
  const pairs = values.slice(0, LISTED).map(({ value, meaning }) => `${value} → ${meaning ?? 'nothing'}`);
  return `"${column}": ${pairs.join(', ')}${values.length > LISTED ? ', …' : ''}.`;
};

/** Reads the whole file by the mapping and returns the result. */
async function tryMapping(file: string, mapping: Mapping) {
  const stories = newStories();
  const rejections = newRejections();
  const records: Record<string, number> = {};
  const { batches, findings, close } = await openCsv({ path: file, mapping, folder: tmpdir() });
  for await (const batch of stories.watch(batches))
    count(batch, records, (line, reason) => rejections.add(`${file}:${line}`, reason));
  await close();
  const { ignored, warnings } = findings.summary();
  const groups = rejections.groups();
  const story = storyLines(stories.tell());
  const rows = Object.entries(records).map(([type, times]) => [type, grouped(times)]);
  return {
    json: { records, rejections: groups, ignored, warnings, story },
    lines: [
      'How the mapping reads the first cases (nothing was imported):',
      ...story,
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
