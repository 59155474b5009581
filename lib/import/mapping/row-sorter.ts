import type { Instant } from '../../history/cases/event.ts';
import { Rejection } from '../../json-readers.ts';
import { type CsvRow, cellsOf, type Dialect, type FileRow, isEmptyRow, pickCells } from '../formats/csv.ts';
import type { Findings } from '../formats/findings.ts';
import type { LineNumbers } from '../formats/line-numbers.ts';
import type { Row } from '../formats/row.ts';
import type { Spill } from '../spill/spill.ts';
import type { CompiledMapping } from './compiled-mapping.ts';
import type { HeldRow, HeldRowCodec } from './held-row.ts';

/** A file whose rows are sorted. */
interface SortedPart {
  readonly reading: CompiledMapping;
  changed: Instant | undefined; // when the last of its cases changed, according to its rows
}

/** Sorts the rows of a file: holds those of cases, and leaves out what is no row. */
export interface RowSorter {
  header: string | undefined; // the text of the header; the same text further down is no row
  /** Holds rows of cases until all files are read; returns at once rows that are rejected, and rows of members. */
  readonly sort: (rows: readonly FileRow[], part: SortedPart) => Row[];
  /** Call it after the last row: what stands below it is a footer. */
  readonly end: (part: SortedPart) => Row[];
  /** Returns how many rows were held since the last call. */
  readonly takeHeld: () => number;
}

interface Sorting {
  readonly dialect: Dialect;
  readonly form: HeldRowCodec;
  readonly held: Spill<HeldRow>;
  readonly lines: LineNumbers;
  readonly findings: Findings;
  readonly name: string; // of the file, for messages
}

const MOST_LINES = 10; // of a footer
const SHOWN = 60; // characters of a footer's line

export function rowSorter({ dialect, form, held, lines, findings, name }: Sorting): RowSorter {
  let count = 0;
  let any = false; // whether a row of a case was there
  let last: CsvRow[] = []; // rows that are a footer unless another row follows
  let given: Row[] = [];

  function take(row: CsvRow, part: SortedPart, mayBeFooter: boolean): void {
    const { width, places, takes, rows: reading, laterChange } = part.reading;
    try {
      const cells = pickCells(row, dialect, places, width);
      if ('recordsOf' in reading) {
        const records = takes(cells) ? reading.recordsOf(cells) : [];
        given.push({ line: lines.number(row.line), raw: row.raw, records });
      } else if (mayBeFooter && places.length > 2 && isAlone(cells)) {
        last.push(row);
      } else if (takes(cells)) {
        held.add(form.hold(lines.number(row.line), reading.caseOf(cells), cells, row.quoted === undefined));
        part.changed = laterChange(part.changed, cells);
        count += 1;
        any = true;
      }
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      if (mayBeFooter && any && width > 2 && filledIn(row, dialect) < 3) last.push(row);
      else given.push({ line: lines.number(row.line), raw: row.raw, reason: error.message });
    }
  }

  function flush(part: SortedPart): void {
    const rows = last;
    last = [];
    for (const row of rows) take(row, part, false);
  }

  return {
    header: undefined,
    sort(rows, part) {
      given = [];
      for (const row of rows) {
        if ('reason' in row) {
          given.push({ ...row, line: lines.number(row.line) });
          continue;
        }
        if (isEmptyRow(row, dialect)) continue;
        if (row.raw === this.header) {
          findings.ignore('repeated header');
          continue;
        }
        const before = last.length;
        take(row, part, true);
        if (before > 0 && (last.length === before || before > MOST_LINES)) flush(part);
      }
      return given;
    },
    end(part) {
      given = [];
      if (!any) flush(part);
      for (const { line, raw } of last) {
        const text = raw.length > SHOWN ? `${raw.slice(0, SHOWN)}…` : raw;
        findings.warn(`Line ${line} of ${name} is a footer and no row: ${JSON.stringify(text)}.`);
      }
      return given;
    },
    takeHeld() {
      const now = count;
      count = 0;
      return now;
    },
  };
}

/** Whether at most one of some cells has a text. */
function isAlone(cells: readonly string[]): boolean {
  let filled = 0;
  for (const cell of cells) {
    if (cell !== '' && cell.trim() !== '') filled += 1;
    if (filled > 1) return false;
  }
  return true;
}

const filledIn = (row: CsvRow, dialect: Dialect): number =>
  cellsOf(row, dialect).filter((cell) => cell.trim() !== '').length;
