import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import type { Answers } from '../../../lib/import/proposal/proposal.ts';
import { Fault } from '../../fault.ts';
import { line, lines, type OptionsOf, toggle } from '../command.ts';

/** The options that answer questions about a CSV without a mapping. */
export const ANSWERS = {
  answer: lines('<id=answer>', 'answers a question about the file: JSON, else a text; may repeat'),
  answers: line('<file>', 'answers of a JSON file: {"ID": ANSWER}'),
  assume: toggle('take every proposed answer, and say so'),
};
export type AnswerOptions = Partial<OptionsOf<typeof ANSWERS>>;

const answersShape = z.record(z.string(), z.unknown());

/** The answers of the options; those of `--answer` win. Throws a `Fault`. */
export async function readAnswers({ answer = [], answers }: AnswerOptions): Promise<Answers> {
  const fromFile = answers === undefined ? {} : await readAnswerFile(answers);
  const inline: Record<string, unknown> = {};
  for (const one of answer) {
    const at = one.lastIndexOf('=');
    const id = one.slice(0, at).trim();
    if (at < 0 || id === '') throw new Fault(`--answer ${one}: write a question's id, = and the answer.`, 2);
    if (Object.hasOwn(inline, id)) throw new Fault(`--answer ${id} is given twice: keep one of them.`, 2);
    inline[id] = answerOf(one.slice(at + 1));
  }
  return { ...fromFile, ...inline };
}

async function readAnswerFile(file: string): Promise<Answers> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Fault(`${file} cannot be read: name a file of answers.`, 2);
  });
  const { data } = answersShape.safeParse(answerOf(text));
  if (data !== undefined) return data;
  throw new Fault(`${file} is no object of answers: write {"ID": ANSWER}.`, 2);
}

/** Reads an answer: JSON, else the text itself. */
export function answerOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.trim();
  }
}
