import { type Recognising, recogniseImport } from './open.ts';
import { newAsker } from './proposal/asker.ts';
import type { Answers, Question } from './proposal/proposal.ts';
import { tablesWithin } from './unpack/tables-within.ts';

/** The id of the question which sheet of a workbook, or which file of an archive, is meant. */
export const SHEET = 'sheet';

/** The opening of a table; undefined while the question which one it is is open. */
interface TableChoice<T> {
  readonly opening: T | undefined;
  readonly questions: readonly Question[];
}

/**
 * Chooses the table of a file that holds several: the sheet of a workbook or the file of an archive that the answers
 * name. `format` is one that a person named: of a
 * format with several files the whole archive is read.
 */
export async function chooseTable<T extends Recognising>(
  opening: T,
  answers: Answers,
  format: string | undefined,
): Promise<TableChoice<T>> {
  const { path } = opening;
  const found = path === '-' ? undefined : await tablesWithin(path);
  if (found === undefined || found.tables.length < 2) return { opening, questions: [] };
  if (!found.isWorkbook && (format ?? 'csv') !== 'csv') return { opening, questions: [] };
  if (!found.isWorkbook && format === undefined && (await recogniseImport(opening)) !== undefined)
    return { opening, questions: [] };
  const asker = newAsker(answers);
  const answer = asker.ask({
    id: SHEET,
    about: 'sheet',
    text: found.isWorkbook
      ? 'Which sheet of the workbook is to be loaded?'
      : 'Which file of the archive is to be loaded?',
    choices: found.tables.map(({ name, header }) => ({
      answer: name,
      text:
        header.length === 0
          ? name
          : `${name}: ${header.slice(0, SHOWN).join(', ')}${header.length > SHOWN ? ', …' : ''}`,
    })),
    proposed: found.tables[0]?.name ?? null,
  });
  const questions = asker.open();
  return { opening: questions.length === 0 ? { ...opening, path: `${path}/${answer}` } : undefined, questions };
}

const SHOWN = 6; // columns of a sheet
