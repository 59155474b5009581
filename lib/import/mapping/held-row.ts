import { certain } from '../../certain.ts';
import { caseSubject } from '../../history/cases/subject.ts';
import { ownJson } from '../../own-json.ts';
import type { SpillForm } from '../spill/spill.ts';
import type { CsvCells } from './columns.ts';

/** A row that waits for the other rows of its case. */
export interface HeldRow {
  readonly line: number;
  readonly caseKey: string;
  readonly text: string; // the cells that the mapping uses, joined: they are split only when the row is read
  readonly plain: boolean; // joined by the separator; false: JSON, because of a separator or line end inside
}

/** How the rows of a file are held. */
export interface HeldRowCodec {
  /** Makes a held row from cells; `plain`: no cell contains a separator or a line end. */
  readonly hold: (line: number, caseKey: string, cells: CsvCells, plain: boolean) => HeldRow;
  readonly cellsOf: (row: HeldRow) => CsvCells;
}

const QUOTED = '"'; // written before the line number of a row that is not plain

/** Returns how the rows of a file with this separator are held. */
export const heldRowCodec = (separator: string): HeldRowCodec => ({
  hold: (line, caseKey, cells, areCellsPlain) => {
    const plain = areCellsPlain && !caseKey.includes('\n');
    return { line, caseKey, text: plain ? cells.join(separator) : JSON.stringify(cells), plain };
  },
  cellsOf: ({ text, plain }) => (plain ? text.split(separator) : ownJson<CsvCells>(text)),
});

/**
 * How a spill writes held rows: three lines for each. Plain cells need no JSON, which halves the time of both
 * directions.
 */
export const HELD_ROW_SPILL: SpillForm<HeldRow> = {
  subjectOf: ({ caseKey }) => caseSubject(caseKey),
  lineOf: ({ line }) => line,
  write: ({ line, caseKey, text, plain }) =>
    plain ? `${line}\n${caseKey}\n${text}\n` : `${QUOTED}${line}\n${JSON.stringify(caseKey)}\n${text}\n`,
  read: (written) => {
    const lines = written.toString().split('\n');
    const rows: HeldRow[] = [];
    for (let at = 0; at + 2 < lines.length; at += 3) {
      const [line, caseKey, text] = [certain(lines[at]), certain(lines[at + 1]), certain(lines[at + 2])];
      rows.push(
        line.startsWith(QUOTED)
          ? { line: Number(line.slice(1)), caseKey: ownJson<string>(caseKey), text, plain: false }
          : { line: Number(line), caseKey, text, plain: true },
      );
    }
    return rows;
  },
};
