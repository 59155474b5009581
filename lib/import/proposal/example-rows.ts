import type { Question } from './proposal.ts';
import type { Survey } from './survey.ts';

const ROWS = 3; // of a question
const OF_VALUES = 12; // of a question about values: one for each

/** Adds rows of the file to a question that has none: one for each of its values, else the first ones that fill its column. */
export function withExamples({ header, rows }: Pick<Survey, 'header' | 'rows'>, question: Question): Question {
  if (question.examples !== undefined) return question;
  const column = question.column === undefined ? -1 : header.indexOf(question.column);
  const cellOf = (row: readonly string[]): string => row[column] ?? '';
  const filled = column < 0 ? rows : rows.filter((row) => cellOf(row) !== '');
  const found = (question.values ?? []).flatMap(({ value }) => {
    const row = filled.find((one) => cellOf(one) === value);
    return row === undefined ? [] : [row];
  });
  return { ...question, examples: found.length > 0 ? found.slice(0, OF_VALUES) : filled.slice(0, ROWS) };
}
