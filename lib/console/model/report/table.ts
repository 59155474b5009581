import { isOrdered, type Names } from '../names.ts';
import { text } from '../text/text.ts';
import { createRowBefore, type Report, type Row } from './report.ts';
import type { Sort } from './report-state.ts';

/** A column of the table: the window, a dimension's members, a field, or a field in the period before. */
export type Column =
  | { readonly kind: 'window' }
  | { readonly kind: 'dimension'; readonly dimension: string; readonly index: 0 | 1 }
  | { readonly kind: 'field'; readonly field: number }
  | { readonly kind: 'before'; readonly field: number };

export interface TableRow {
  readonly row: Row;
  readonly before: Row | undefined;
}

/** The columns of a report; in a comparison each field is followed by its value in the period before. */
export function columnsOf({ size, dimensions, fields, before }: Report): Column[] {
  return [
    ...(size === 'none' ? [] : [{ kind: 'window' } as const]),
    ...dimensions.map((dimension, index) => ({ kind: 'dimension', dimension, index: index === 0 ? 0 : 1 }) as const),
    ...fields.flatMap((_, field): Column[] =>
      before === undefined
        ? [{ kind: 'field', field }]
        : [
            { kind: 'field', field },
            { kind: 'before', field },
          ],
    ),
  ];
}

/** The header of a column, with labels; empty for windows of a report without any. */
export function headerOf(column: Column, { size, fields }: Report, names: Names): string {
  if (column.kind === 'window') return size === 'none' ? '' : text.report.windowHeader(size);
  if (column.kind === 'dimension') return names.label(column.dimension);
  const label = names.field(fields[column.field] ?? '');
  return column.kind === 'field' ? label : text.report.before(label);
}

type SortNames = Pick<Names, 'of' | 'written'>;

/** Sorts the rows. Equal rows, and all rows without `sort`, keep the order of the service. */
export function rowsOf(report: Report, sort: Sort | null, names: SortNames): TableRow[] {
  const rowBefore = createRowBefore(report);
  const rows = report.rows.map((row) => ({ row, before: rowBefore(row) }));
  const column = sort === null ? undefined : columnsOf(report)[sort.column];
  if (column === undefined) return rows;
  const keyed = rows.map((entry) => ({ entry, key: sortKey(entry, column, names) }));
  const sign = sort?.descending ? -1 : 1;
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null); // empty cells go last
    return sign * (typeof a.key === 'string' ? a.key.localeCompare(String(b.key)) : a.key - Number(b.key));
  });
  return keyed.map(({ entry }) => entry);
}

/** The key to sort a row by: members sort by name, except numbers that name themselves, such as hours. */
function sortKey({ row, before }: TableRow, column: Column, names: SortNames): number | string | null {
  if (column.kind === 'window') return row.window;
  if (column.kind === 'field') return row.values[column.field] ?? null;
  if (column.kind === 'before') return before?.values[column.field] ?? null;
  const member = row.members[column.index];
  const counted = isOrdered(names.written(column.dimension));
  return counted && typeof member === 'number' ? member : names.of(column.dimension, member);
}

/**
 * The rows that a scrolled box shows, all of one height in px: the index of the first, and of the one after the last.
 */
export function visibleRows(
  count: number,
  height: number,
  scrolled: number,
  box: number,
): readonly [from: number, to: number] {
  const spare = 20; // more rows above and below, so that scrolling shows no gap
  const from = Math.max(0, Math.floor(scrolled / height) - spare);
  return [from, Math.min(count, Math.ceil((scrolled + box) / height) + spare)];
}
