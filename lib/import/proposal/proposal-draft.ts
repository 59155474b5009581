import { addTo } from '../../group-by.ts';
import type { DurationUnit } from '../../vocabulary.ts';
import { withoutDateWords, wordMeaning } from '../language/words.ts';
import type { DateOrder } from '../language/written-time.ts';
import type { Asker } from './asker.ts';
import type { FileColumn } from './columns.ts';
import type { FileRole, RoleFinding } from './proposal.ts';
import type { Survey } from './survey.ts';

/** What is known of a file so far, and where a part of the proposal puts what it finds. */
export interface ProposalDraft {
  readonly survey: Survey;
  readonly columns: readonly FileColumn[];
  readonly rows: number; // of the survey
  readonly order: DateOrder; // to compare times
  readonly isOrderSure: boolean;
  readonly asker: Asker;
  readonly taken: Map<FileRole, FileColumn>; // roles that columns have
  readonly findings: RoleFinding[];
  readonly notes: string[];
  readonly fields: ReadonlySet<string>; // names of the custom fields that the site has
  readonly offered: Set<FileColumn>; // columns that questions about roles offer
}

/** Rows from which on the data proves something, and shares of rows that are no chance. */
export const [MANY, NEARLY_ALL, NEARLY_NONE] = [5, 0.95, 0.05];

/** A time in the fields of a mapping, whose format and zone are not yet written. */
export interface TimePart {
  readonly time: FileColumn;
  readonly plus?: { readonly column: string; readonly unit: DurationUnit; readonly null?: string[] };
  readonly unless?: string; // a column with the same text where there is no time
}

/** The texts of a column, without empty cells. */
export const textsIn = ({ rows }: ProposalDraft, { cell }: FileColumn): string[] =>
  Array.from({ length: rows }, (_, row) => cell(row)).filter((text) => text !== '');

/** The row's time in a column; NaN: none. */
export const timeAt = ({ order }: ProposalDraft, column: FileColumn, row: number): number =>
  column.times?.at(row, order) ?? Number.NaN;

/**
 * The column with the time of day of a column of days: filled in the same rows, of the same name but for words such as
 * *date* and *time*, or beside it without a meaning of its own.
 */
export function timeOfDayColumn({ columns, rows }: ProposalDraft, day: FileColumn): FileColumn | undefined {
  if (!day.times?.isOfDays) return undefined;
  const isFilledAlike = (one: FileColumn): boolean => {
    for (let row = 0; row < rows; row += 1) if ((one.cell(row) === '') !== (day.cell(row) === '')) return false;
    return true;
  };
  const clocks = columns.filter((one) => one.isClock && isFilledAlike(one));
  const name = withoutDateWords(day.name);
  return (
    clocks.find((one) => withoutDateWords(one.name) === name) ??
    clocks.find((one) => one.index === day.index + 1 && one.named.every(({ role }) => role === 'at'))
  );
}

/** How many rows of the survey have a text in a column and meet a condition. */
export function share(
  { rows }: ProposalDraft,
  counts: (row: number) => boolean,
  holds: (row: number) => boolean,
): { readonly of: number; readonly part: number } {
  let [of, part] = [0, 0];
  for (let row = 0; row < rows; row += 1) {
    if (!counts(row)) continue;
    of += 1;
    if (holds(row)) part += 1;
  }
  return { of, part: of === 0 ? 0 : part / of };
}

/** In what part of the rows a column is filled whose status is done, or is not, by its exact word. */
export function filledByWord(draft: ProposalDraft, column: FileColumn, status: FileColumn) {
  const isOf =
    (isDone: boolean) =>
    (row: number): boolean => {
      const said = wordMeaning('status', status.cell(row));
      return said?.exact === true && (said.is === 'resolved' || said.is === 'closed') === isDone;
    };
  const isFilled = (row: number): boolean => column.cell(row) !== '';
  return { done: share(draft, isOf(true), isFilled), open: share(draft, isOf(false), isFilled) };
}

/** Whether two columns say the same in nearly all rows: it does not matter then which of them is taken. */
export function areAlike(draft: ProposalDraft, a: FileColumn, b: FileColumn): boolean {
  if (a === b) return true;
  const bothTimes = a.times !== undefined && b.times !== undefined;
  const same = (row: number): boolean =>
    bothTimes ? Math.abs(timeAt(draft, a, row) - timeAt(draft, b, row)) < 1_000_000 : a.cell(row) === b.cell(row);
  const { of, part } = share(draft, (row) => a.cell(row) !== '' || b.cell(row) !== '', same);
  return of > 0 && part >= 0.99;
}

/** The rows of each case in the order of the file, by the text of a column. */
export function casesBy({ rows }: ProposalDraft, column: FileColumn): number[][] {
  const cases = new Map<string, number[]>();
  for (let row = 0; row < rows; row += 1) {
    const id = column.cell(row);
    if (id !== '') addTo(cases, id, row);
  }
  return [...cases.values()];
}

/** Whether a column has one text for each case. */
export function isSteady(column: FileColumn, cases: readonly (readonly number[])[]): boolean {
  let [several, steady] = [0, 0];
  for (const rows of cases) {
    const texts = new Set(rows.map(column.cell));
    texts.delete('');
    if (rows.length < 2) continue;
    several += 1;
    if (texts.size < 2) steady += 1;
  }
  return several > 0 && steady >= 0.95 * several;
}
