import { certain } from '../../certain.ts';
import { caseSubject } from '../../history/cases/subject.ts';
import type { SpillForm } from '../spill/spill.ts';
import type { CsvCells } from './columns.ts';

/** A row that waits for the others of its case. */
export interface HeldRow {
  readonly line: number;
  readonly caseKey: string;
  readonly text: string; // the cells that the mapping names, as they are written: few rows are cut at a time
  readonly plain: boolean; // written without JSON: neither a cell nor the key holds a separator or the end of a line
}

/** How the rows of a file are held back. */
export interface HeldForm {
  /** Makes a row of cells; `plain`: none of them holds a separator or the end of a line. */
  readonly hold: (line: number, caseKey: string, cells: CsvCells, plain: boolean) => HeldRow;
  readonly cellsOf: (row: HeldRow) => CsvCells;
}

const QUOTED = '"'; // stands before the line of a row that is not plain

/** Makes rows of cells and cells of rows; `separator` is the file's. */
export const heldForm = (separator: string): HeldForm => ({
  hold: (line, caseKey, cells, areCellsPlain) => {
    const plain = areCellsPlain && !caseKey.includes('\n');
    return { line, caseKey, text: plain ? cells.join(separator) : JSON.stringify(cells), plain };
  },
  cellsOf: ({ text, plain }) => (plain ? text.split(separator) : JSON.parse(text)),
});

/** Rows as three lines each. Plain cells need no JSON: writing and reading take half the time so. */
export const HELD: SpillForm<HeldRow> = {
  subjectOf: ({ caseKey }) => caseSubject(caseKey),
  write: ({ line, caseKey, text, plain }) =>
    plain ? `${line}\n${caseKey}\n${text}\n` : `${QUOTED}${line}\n${JSON.stringify(caseKey)}\n${text}\n`,
  read: (written) => {
    const lines = written.toString().split('\n');
    const rows: HeldRow[] = [];
    for (let at = 0; at + 2 < lines.length; at += 3) {
      const [line, caseKey, text] = [certain(lines[at]), certain(lines[at + 1]), certain(lines[at + 2])];
      rows.push(
        line.startsWith(QUOTED)
          ? { line: Number(line.slice(1)), caseKey: JSON.parse(caseKey), text, plain: false }
          : { line: Number(line), caseKey, text, plain: true },
      );
    }
    return rows;
  },
};
