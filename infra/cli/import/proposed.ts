import { listSources } from '../../../lib/history/sources.ts';
import { readStart } from '../../../lib/import/file-start.ts';
import { parseMapping } from '../../../lib/import/mapping/parse-mapping.ts';
import {
  type CopyMarks,
  type CopyNumbers,
  copyMarks,
  earlierCopies,
  NEWER_COPY,
  newerCopyQuestion,
} from '../../../lib/import/newer-copy.ts';
import type { OpenChoices, Opening } from '../../../lib/import/open.ts';
import type { OriginChoice } from '../../../lib/import/origin.ts';
import type { Answers, Proposal, Question } from '../../../lib/import/proposal/proposal.ts';
import { SHEET } from '../../../lib/import/table-choice.ts';
import { understandCsv, whyNotUnderstood } from '../../../lib/import/understand.ts';
import { Fault } from '../../fault.ts';
import type { AnswerOptions } from './answers.ts';
import { type Settled, type Settling, settle } from './questions.ts';

/** How a file is opened, and what was found out about it on the way. */
export interface OpenPlan {
  readonly choices: OpenChoices;
  readonly source: Pick<OriginChoice, 'source' | 'own'>;
  readonly form?: string | undefined; // by which a newer copy of the file is recognised
  readonly remarks: readonly string[]; // for the summary
}

/** What a file leaves open; nothing was imported. */
export interface OpenList {
  readonly questions: readonly Question[];
}

/** The options that a CSV without a mapping is read by. */
export interface ProposeOptions extends AnswerOptions {
  readonly zone?: string | undefined;
  readonly source?: string | undefined;
  readonly yes?: boolean | undefined;
}

/** What was settled before a format was looked for: the answers, and those of them that were assumed. */
export type SettledBefore = Pick<Settled<unknown>, 'answers' | 'assumed'>;

/** Finds out what replacing the cases of a source would change. */
export type Rehearse = (choices: OpenChoices, source: string) => Promise<CopyNumbers>;

/** Understands a CSV that has no mapping, by its rows and the answers. Throws a `Fault` for a file that cannot be read. */
export async function proposePlan(
  opening: Opening,
  options: ProposeOptions,
  before: SettledBefore,
  rehearse: Rehearse,
): Promise<OpenPlan | OpenList> {
  const { path, context } = opening;
  if (path === '-') throw new Fault('A CSV of standard input needs a mapping: name it by --map, or save the file.', 2);
  const understood = await understandCsv(opening, (await readStart(path)).bytes, options.zone);
  if (understood === undefined) throw new Fault(`${path} is no CSV: it has no header with at least two columns.`, 2);
  const settling = settlingOf(options);
  const settled = await settle(understood.propose, before.answers, settling);
  const { proposal } = settled;
  const refusal = whyNotUnderstood(proposal);
  if (refusal !== undefined) throw new Fault(refusal, 2);
  if (proposal.mapping === undefined) return { questions: proposal.questions };
  const zone = options.zone ?? context.site.timeZone;
  const mapping = parseMapping(JSON.stringify(proposal.mapping), 'The proposed mapping', zone);
  const choices: OpenChoices = { format: 'csv', mapping };
  const marks = mapping.kind === 'tickets' ? copyMarks(mapping, await understood.sample(settled.answers)) : undefined;
  const copied = await copyPlan(opening, options, {
    marks,
    settled,
    settling,
    rehearse: (name) => rehearse(choices, name),
  });
  if ('questions' in copied) return copied;
  return {
    choices,
    form: marks?.form,
    source: copied.source,
    remarks: remarksOf(proposal, [...before.assumed, ...settled.assumed, ...(copied.assumed ? [NEWER_COPY] : [])]),
  };
}

/** Whether the questions may be put to a person who sits before this command. */
export const settlingOf = ({ assume = false, yes = false }: Pick<ProposeOptions, 'assume' | 'yes'>): Settling => ({
  assumes: assume,
  asks:
    !yes && process.stdin.isTTY && process.stderr.isTTY ? { input: process.stdin, output: process.stderr } : undefined,
});

interface Copying {
  readonly marks: CopyMarks | undefined;
  readonly settled: Settled<Proposal>;
  readonly settling: Settling;
  readonly rehearse: (source: string) => Promise<CopyNumbers>;
}

/** The source of a file: that of an earlier copy if a person says so, else one that holds no other file. */
async function copyPlan(
  { context }: Opening,
  { source }: ProposeOptions,
  { marks, settled, settling, rehearse }: Copying,
): Promise<{ readonly source: OpenPlan['source']; readonly assumed: boolean } | OpenList> {
  if (marks === undefined || source !== undefined) return { source: {}, assumed: false };
  const notes = await listSources(context);
  const copies = await earlierCopies(context, marks);
  const [latest] = copies;
  if (latest === undefined) {
    const isOther = notes.some(
      ({ name, form, isTried }) => name === FORMAT && !isTried && (form ?? marks.form) !== marks.form,
    );
    return { source: isOther ? { own: freshName(notes) } : {}, assumed: false };
  }
  const isKnown = (answer: unknown): boolean => answer === null || copies.some(({ name }) => name === answer);
  let answer = settled.answers[NEWER_COPY];
  let assumed = false;
  if (!isKnown(answer)) {
    const questions = newerCopyQuestion(copies, context.site.timeZone, await rehearse(latest.name));
    const ask = (answers: Answers) => ({ questions: isKnown(answers[NEWER_COPY]) ? [] : questions });
    const { proposal, answers } = await settle(ask, {}, settling);
    if (proposal.questions.length > 0) return { questions: proposal.questions };
    answer = answers[NEWER_COPY];
    assumed = settling.assumes;
  }
  return { source: { source: typeof answer === 'string' ? answer : freshName(notes) }, assumed };
}

const FORMAT = 'csv';

/** The format's name, with a number if a source is called so. */
function freshName(notes: readonly { readonly name: string }[]): string {
  let name = FORMAT;
  for (let number = 2; notes.some((note) => note.name === name); number += 1) name = `${FORMAT}-${number}`;
  return name;
}

/** Says which proposed answers were taken. */
export const assumedRemarks = (ids: readonly string[]): string[] =>
  ids.length === 0 ? [] : [`The proposed answers were taken: ${ids.join(', ')}.`];

function remarksOf({ notes, ignored }: Proposal, assumed: readonly string[]): string[] {
  const unasked = ignored.filter((id) => id !== NEWER_COPY && id !== SHEET);
  return [
    ...notes,
    ...assumedRemarks(assumed),
    ...(unasked.length === 0 ? [] : [`These answers are of no question, and were ignored: ${unasked.join(', ')}.`]),
  ];
}
