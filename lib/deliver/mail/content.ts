import { changeOf, goodDirection } from '../../console/model/change.ts';
import type { Definitions } from '../../console/model/definitions.ts';
import { countsSomething, unitOf } from '../../console/model/fields.ts';
import type { Format } from '../../console/model/format.ts';
import type { Names } from '../../console/model/names.ts';
import { lastDay } from '../../console/model/period.ts';
import type { Report, Row } from '../../console/model/report.ts';
import { type Column, columnsOf, rowsOf } from '../../console/model/table.ts';
import { text } from '../../console/model/text.ts';

/** A mail before it is HTML or text: all its texts are as the site has them, not escaped. */
export interface MailContent {
  readonly title: string;
  readonly lead: readonly string[]; // sentences below the title
  readonly sections: readonly Section[];
  readonly link: { readonly href: string; readonly label: string };
  readonly why: string; // why one gets it
}

export type Section = NumbersSection | TableSection | NoteSection;

/** Numbers beside each other. */
export interface NumbersSection {
  readonly kind: 'numbers';
  readonly numbers: readonly ShownNumber[];
}

interface ShownNumber {
  readonly label: string;
  readonly value: string;
  readonly change?: ShownChange | undefined; // to the period before
}

interface ShownChange {
  readonly text: string; // `+12% better, before: 40`
  readonly verdict: 'better' | 'worse' | 'flat';
}

interface TableSection {
  readonly kind: 'table';
  readonly title: string;
  readonly range: string;
  readonly columns: readonly { readonly title: string; readonly isNumber: boolean }[];
  readonly rows: readonly (readonly ShownCell[])[];
  readonly total: readonly ShownCell[] | undefined;
  readonly left: number; // rows that are not shown
}

export interface ShownCell {
  readonly text: string;
  readonly bar?: number; // 0 … 1, of the largest in its column
}

/** A sentence in place of a tile. */
interface NoteSection {
  readonly kind: 'note';
  readonly title: string;
  readonly note: string;
}

/** How many rows are not shown, for people. */
export const moreRows = (left: number): string => (left === 1 ? '1 more row' : `${left} more rows`);

const MOST_ROWS = 30; // of a table in a mail

/** How a report is written: the names of the site, and the formats of its language. */
export interface Writing {
  readonly definitions: Definitions;
  readonly names: Names;
  readonly format: Format;
}

/** The days that a report covers: `16 Nov 2026 – 22 Nov 2026`. */
export function rangeText({ min, max }: Pick<Report, 'min' | 'max'>, format: Format): string {
  const [first, last] = [format.date(min.slice(0, 10)), format.date(lastDay(max.slice(0, 19)))];
  return first === last ? first : `${first} – ${last}`;
}

/** The numbers of a report without its rows: each field with its change. `title` replaces the name of a single field. */
export function numbersOf(report: Report, title: string | undefined, writing: Writing): ShownNumber[] {
  const { definitions, names, format } = writing;
  const [now, before] = [report.totals?.all.values, report.before?.totals?.all.values];
  return report.fields.map((field, index) => {
    const unit = unitOf(definitions, field);
    const [value, earlier] = [now?.[index] ?? null, before?.[index] ?? null];
    const change = changeOf(value, earlier, unit, goodDirection(field));
    return {
      label: report.fields.length === 1 && title !== undefined ? title : names.field(field),
      value: format.value(value, unit),
      change: change && {
        text: `${changeText(change, format)}, before: ${format.value(earlier, unit)}`,
        verdict: change.verdict,
      },
    };
  });
}

function changeText({ kind, amount, verdict }: NonNullable<ReturnType<typeof changeOf>>, format: Format): string {
  const size = kind === 'points' ? `${format.signed(amount)} points` : format.signedShare(amount);
  return verdict === 'flat' ? size : `${size} ${verdict}`;
}

/** The table of a report, with the total at its end; `bars` draws the first field of each row. */
export function tableSectionOf(report: Report, title: string, bars: boolean, writing: Writing): TableSection {
  const { names, format, definitions } = writing;
  const columns = columnsOf(report);
  const all = rowsOf(report, null, names.of);
  const unit = (field: number): string => unitOf(definitions, report.fields[field] ?? '');
  const first = report.fields[0] ?? '';
  const drawn = bars && countsSomething(first, unit(0)) ? columns.findIndex(({ kind }) => kind === 'field') : -1;
  const largest = Math.max(0, ...all.map(({ row }) => row.values[0] ?? 0));
  const shown = (row: Row, before: Row | undefined, column: Column, isTotal: boolean): string => {
    if (column.kind === 'window') return row.window === null ? '' : format.window(row.window, report.size);
    if (column.kind === 'dimension') return isTotal ? '' : names.of(column.dimension, row.members[column.index]);
    const values = column.kind === 'field' ? row.values : before?.values;
    return format.value(values?.[column.field] ?? null, unit(column.field));
  };
  const cellsOf = (row: Row, before: Row | undefined, isTotal: boolean): ShownCell[] =>
    columns.map((column, index) => ({
      text: index === 0 && isTotal ? text.report.total : shown(row, before, column, isTotal),
      ...(index === drawn && !isTotal && largest > 0 ? { bar: Math.max(0, row.values[0] ?? 0) / largest } : {}),
    }));
  return {
    kind: 'table',
    title,
    range: rangeText(report, format),
    columns: columns.map((column) => ({ title: titleOf(report, column, names), isNumber: isNumber(column) })),
    rows: all.slice(0, MOST_ROWS).map(({ row, before }) => cellsOf(row, before, false)),
    total: report.totals && all.length > 1 ? cellsOf(report.totals.all, report.before?.totals?.all, true) : undefined,
    left: Math.max(0, all.length - MOST_ROWS),
  };
}

const isNumber = ({ kind }: Column): boolean => kind === 'field' || kind === 'before';

function titleOf({ fields, size }: Report, column: Column, names: Names): string {
  if (column.kind === 'window') return size === 'none' ? '' : text.report.windowHeader(size);
  if (column.kind === 'dimension') return names.label(column.dimension);
  const label = names.field(fields[column.field] ?? '');
  return column.kind === 'field' ? label : text.report.before(label);
}
