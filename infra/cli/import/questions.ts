import { createInterface } from 'node:readline/promises';
import type { Answers, Choice, Question } from '../../../lib/import/proposal/proposal.ts';
import { printable } from '../../../lib/text.ts';
import { columns } from '../columns.ts';
import { type Outcome, write } from '../command.ts';
import { grouped } from '../progress.ts';
import { type AnswerOptions, answerOf } from './answers.ts';

/** Where a person is asked and answers. */
interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** How open questions are settled. */
export interface Settling {
  readonly assumes: boolean; // takes the proposed answers
  readonly asks: Terminal | undefined; // one after the other; undefined: nobody is there
}

/** Whether the questions may be put to a person who sits before this command. */
export const settlingOf = ({
  assume = false,
  yes = false,
}: AnswerOptions & { readonly yes?: boolean | undefined }): Settling => ({
  assumes: assume,
  asks:
    !yes && process.stdin.isTTY && process.stderr.isTTY ? { input: process.stdin, output: process.stderr } : undefined,
});

/** What can be proposed with some answers, and what is still open. */
interface Proposing {
  readonly questions: readonly Question[];
  readonly refusal?: string | undefined; // why nothing is to be asked
}

/** What a file leaves open; nothing was imported. */
export type OpenList = Pick<Proposing, 'questions'>;

/** A proposal without open questions, or these; and the answers that led to it. */
export interface Settled<P> {
  readonly proposal: P;
  readonly answers: Answers;
  readonly assumed: readonly string[]; // ids of questions whose proposed answer was taken
  readonly guessed: readonly string[]; // what of these nothing in the file tells, in words
}

const ROUNDS = 4; // that ask something new, the table first: a person may answer amiss

/** Proposes, answers what is open, and proposes again. */
export async function settle<P extends Proposing>(
  propose: (answers: Answers) => P | Promise<P>,
  firstAnswers: Answers,
  { assumes, asks }: Settling,
): Promise<Settled<P>> {
  let answers = firstAnswers;
  const assumed: string[] = [];
  const guessed = new Set<string>();
  const met = new Set<string>();
  const settled = (proposal: P): Settled<P> => ({ proposal, answers, assumed, guessed: [...guessed] });
  for (let rounds = 0; ; ) {
    const proposal = await propose(answers);
    const open = proposal.refusal === undefined ? proposal.questions : [];
    const isNew = open.some(({ id }) => !met.has(id));
    if (open.length === 0 || !(assumes || asks !== undefined)) return settled(proposal);
    if ((isNew && rounds === ROUNDS) || (assumes && !isNew)) return settled(proposal);
    if (isNew) rounds += 1;
    for (const { id } of open) met.add(id);
    if (assumes) {
      answers = { ...answers, ...Object.fromEntries(open.map(({ id, proposed }) => [id, proposed])) };
      for (const question of open) {
        if (!assumed.includes(question.id)) assumed.push(question.id);
        for (const guess of guessesIn(question)) guessed.add(guess);
      }
    } else if (asks !== undefined) answers = { ...answers, ...(await askAll(open, asks)) };
  }
}

/** Questions of which nothing in a file tells the answer. */
const UNTOLD: readonly Question['about'][] = ['zone', 'date_order', 'clock', 'priority_scale', 'rating_scale', 'unit'];

/** The proposed answers to a question that are guesses, in words. */
function guessesIn({ id, about, column, values = [], proposed }: Question): string[] {
  if (UNTOLD.includes(about)) return [`${id} as ${shownAnswer(proposed)}`];
  return values.flatMap(({ value, rows, guess, proposed: is }) =>
    guess === true
      ? [
          `"${value}"${column === undefined ? '' : ` in "${column}"`} as ${is === null ? 'nothing' : String(is)} (${grouped(rows)} rows)`,
        ]
      : [],
  );
}

/** Asks on the terminal. */
async function askAll(questions: readonly Question[], { input, output }: Terminal): Promise<Answers> {
  const lines = createInterface({ input, output });
  const terminal: Dialogue = { prompt: (text) => lines.question(printable(text)), say: (text) => write(output, text) };
  const answers: Record<string, unknown> = {};
  try {
    for (const question of questions) answers[question.id] = await askOne(terminal, question);
  } finally {
    lines.close();
  }
  return answers;
}

/** Asks a person. */
interface Dialogue {
  readonly prompt: (text: string) => Promise<string>;
  readonly say: (text: string) => void;
}

async function askOne(terminal: Dialogue, question: Question): Promise<unknown> {
  const { proposed, values = [] } = question;
  terminal.say(`\n${questionLines(question).join('\n')}`);
  if (question.about !== 'meaning') return ask(terminal, question, `Answer [${shownAnswer(proposed)}]: `, proposed);
  const meanings: Record<string, unknown> = {};
  for (const { value, proposed: meaning } of values)
    meanings[value] = await ask(
      terminal,
      withRowsOf(question, value),
      `"${value}" [${shownAnswer(meaning)}]: `,
      meaning,
    );
  return meanings;
}

/** The question with the rows that have one of its values. */
function withRowsOf(question: Question, value: string): Question {
  return { ...question, examples: question.examples?.filter((row) => row.includes(value)) ?? [] };
}

/** Asks for one answer: a choice by its number or its text, on Return what is proposed. `?` shows rows of the file. */
async function ask(
  terminal: Dialogue,
  { choices, examples = [] }: Question,
  prompt: string,
  proposed: unknown,
): Promise<unknown> {
  for (;;) {
    const said = (await terminal.prompt(prompt)).trim();
    if (said === '') return proposed;
    if (said === '?') {
      const rows = examples.map((row) => row.join(' | '));
      terminal.say(rows.length === 0 ? 'There are no rows to show.' : rows.join('\n'));
      continue;
    }
    const chosen = chosenBy(said, choices);
    if (chosen !== undefined || choices.length === 0) return chosen === undefined ? answerOf(said) : chosen.answer;
    terminal.say(`${said} is no answer: give a number from 1 to ${choices.length}, Return, or ? for rows.`);
  }
}

/** The choice that a person means by its number, its answer or its text; undefined for none. */
function chosenBy(said: string, choices: readonly Choice[]): Choice | undefined {
  const plain = said.toLowerCase();
  const answer = JSON.stringify(answerOf(said));
  return (
    choices[Number(said) - 1] ??
    choices.find((choice) => JSON.stringify(choice.answer) === answer || choice.text.toLowerCase() === plain)
  );
}

const shownAnswer = (answer: unknown): string => (typeof answer === 'string' ? answer : JSON.stringify(answer));

/** A question, its values and its choices as lines. */
function questionLines({ text, values = [], choices }: Question): string[] {
  const rows = values.map(({ value, rows, proposed }) => [value, grouped(rows), String(proposed)]);
  return [
    text,
    ...(rows.length === 0 ? [] : [columns(['value', 'rows', 'proposed'], rows)]),
    ...choices.map(({ answer, text: said }, index) => `  ${index + 1}. ${said} (${shownAnswer(answer)})`),
  ];
}

/** The command's output while questions are open: nothing was imported. */
export function openQuestions(questions: readonly Question[]): Outcome {
  const texts = questions.map((question) => {
    const answer = typeof question.proposed === 'string' ? question.proposed : JSON.stringify(question.proposed);
    return [...questionLines(question), `Answer: --answer '${question.id}=${answer}'`].join('\n');
  });
  const advice = 'Nothing was imported. Answer with --answer or --answers, or take what is proposed with --assume.';
  return { text: [...texts, advice].join('\n\n'), json: { questions }, exit: 2 };
}
