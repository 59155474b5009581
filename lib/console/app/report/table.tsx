import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { findField, totalName, unitOf } from '../../model/fields.ts';
import { type Report, rangesText } from '../../model/report/report.ts';
import type { ReportState, Sort } from '../../model/report/report-state.ts';
import { type Column, columnsOf, headerOf, rowsOf, type TableRow, visibleRows } from '../../model/report/table.ts';
import { text } from '../../model/text/text.ts';
import { ChangeMark } from '../change-mark.tsx';
import { useDisplay } from '../context.tsx';
import { ScrollBox } from '../ui/scroll-box.tsx';
import type { OpenCell } from './cell-menu.tsx';

interface TableProps {
  readonly state: ReportState;
  readonly report: Report;
  readonly onCell: OpenCell | undefined; // undefined: there is nothing but to look
  readonly onSort: ((sort: Sort | null) => void) | undefined; // undefined if the order is fixed
  readonly label?: string; // for screen readers, where a page has several tables
}

const ROW = 40; // px, the height of a row in the style sheet
const ALL_AT_ONCE = 200; // rows; longer tables render only the visible rows

/** The table of a report; every value opens the menu of its cell. */
export function ReportTable({
  state,
  report,
  onCell,
  onSort,
  label = text.report.tableLabel,
}: TableProps): JSX.Element {
  const { names } = useDisplay();
  const columns = useMemo(() => columnsOf(report), [report]);
  const rows = useMemo(() => rowsOf(report, state.sort, names), [report, state.sort, names]);
  const [from, to, box] = useVisible(rows.length);
  return (
    <ScrollBox kind="table-box" box={box} label={label}>
      <table class="report" aria-rowcount={rows.length + 2}>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <HeadCell key={index} column={column} index={index} report={report} sort={state.sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap rows={from} columns={columns.length} />
          {rows.slice(from, to).map((entry, index) => (
            <tr key={from + index} aria-rowindex={from + index + 2}>
              {columns.map((column, position) => (
                <BodyCell key={position} {...{ column, entry, report, state, onCell }} />
              ))}
            </tr>
          ))}
          <Gap rows={rows.length - to} columns={columns.length} />
        </tbody>
        {report.totals && rows.length > 1 && <TotalsRow {...{ columns, report, state, onCell }} />}
      </table>
    </ScrollBox>
  );
}

/** The visible rows of a scrolled box. */
function useVisible(count: number): readonly [from: number, to: number, box: { current: HTMLDivElement | null }] {
  const box = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ scrolled: 0, height: 600 });
  const whole = count <= ALL_AT_ONCE;
  useEffect(() => {
    const element = box.current;
    if (whole || !element) return undefined;
    const look = (): void => setSeen({ scrolled: element.scrollTop, height: element.clientHeight });
    element.addEventListener('scroll', look, { passive: true });
    return () => element.removeEventListener('scroll', look);
  }, [whole]);
  const [from, to] = whole ? [0, count] : visibleRows(count, ROW, seen.scrolled, seen.height);
  return [from, to, box];
}

/** An empty row with the height of the rows that are not rendered. */
const Gap = ({ rows, columns }: { readonly rows: number; readonly columns: number }): JSX.Element | null =>
  rows <= 0 ? null : (
    <tr aria-hidden="true" class="gap" style={{ height: `${rows * ROW}px` }}>
      <td colSpan={columns} />
    </tr>
  );

interface HeadCellProps {
  readonly column: Column;
  readonly index: number;
  readonly report: Report;
  readonly sort: Sort | null;
  readonly onSort: ((sort: Sort | null) => void) | undefined;
}

function HeadCell({ column, index, report, sort, onSort }: HeadCellProps): JSX.Element {
  const { definitions, names } = useDisplay();
  const label = headerOf(column, report, names);
  const own = sort?.column === index ? sort : undefined;
  const field = column.kind === 'field' ? report.fields[column.field] : undefined;
  const definition = field && definitions ? findField(definitions, field) : undefined;
  const number = column.kind === 'field' || column.kind === 'before';
  const next = own
    ? own.descending === number
      ? { column: index, descending: !number }
      : null
    : { column: index, descending: number };
  const mark = own ? (own.descending ? ' ↓' : ' ↑') : '';
  return (
    <th
      scope="col"
      class={number ? 'number' : ''}
      aria-sort={own ? (own.descending ? 'descending' : 'ascending') : undefined}
      title={definition?.meaning || undefined}
    >
      {onSort ? (
        <button type="button" onClick={() => onSort(next)} title={text.report.sortBy(label)}>
          {label}
          <span aria-hidden="true">{mark}</span>
        </button>
      ) : (
        label
      )}
      {definition?.may_change && <small title={text.report.mayChange}>{text.report.mayChangeShort}</small>}
    </th>
  );
}

interface BodyCellProps {
  readonly column: Column;
  readonly entry: TableRow;
  readonly report: Report;
  readonly state: ReportState;
  readonly onCell: OpenCell | undefined; // undefined: there is nothing but to look
}

function BodyCell({ column, entry: { row, before }, report, state, onCell }: BodyCellProps): JSX.Element {
  const { format, names, definitions } = useDisplay();
  if (column.kind === 'window') return <th scope="row">{format.window(row.window ?? '', report.size)}</th>;
  if (column.kind === 'dimension') {
    return (
      <th scope="row" dir="auto" class="member">
        {names.of(column.dimension, row.members[column.index])}
      </th>
    );
  }
  const { field } = column;
  const unit = unitOf(definitions, report.fields[field] ?? '');
  if (column.kind === 'before') {
    const value = before?.values[field] ?? null;
    return (
      <td class="number before" title={format.exact(value, unit)}>
        {format.value(value, unit)}
      </td>
    );
  }
  return (
    <ValueCell
      value={row.values[field] ?? null}
      unit={unit}
      onOpen={onCell && ((at, value) => onCell(at, { row, field }, value))}
    >
      {report.before && (
        <ChangeMark
          field={report.fields[field] ?? ''}
          now={row.values[field] ?? null}
          before={before?.values[field] ?? null}
          byChance={row.chance?.[field]}
          ranges={rangesText(report, format)}
          number={onCell && { state, report, cell: { row, field } }}
        />
      )}
    </ValueCell>
  );
}

interface ValueCellProps {
  readonly value: number | null;
  readonly unit: string;
  readonly onOpen: ((at: Element, value: number | null) => void) | undefined;
  readonly children?: ComponentChildren;
}

function ValueCell({ value, unit, onOpen, children }: ValueCellProps): JSX.Element {
  const { format } = useDisplay();
  return (
    <td class="number" data-value={value === null ? 'null' : String(value)}>
      {value === null || onOpen === undefined ? (
        <span title={format.exact(value, unit)}>{format.value(value, unit)}</span>
      ) : (
        <button
          type="button"
          class="value"
          title={format.exact(value, unit)}
          onClick={(event) => onOpen(event.currentTarget, value)}
        >
          {format.value(value, unit)}
        </button>
      )}{' '}
      {children}
    </td>
  );
}

interface TotalsRowProps {
  readonly columns: readonly Column[];
  readonly report: Report;
  readonly state: ReportState;
  readonly onCell: OpenCell | undefined; // undefined: there is nothing but to look
}

function TotalsRow({ columns, report, state, onCell }: TotalsRowProps): JSX.Element | null {
  const { definitions } = useDisplay();
  const { totals, before } = report;
  if (totals === undefined) return null;
  const entry = { row: { ...totals.all, window: null, members: [null, null] as const }, before: before?.totals?.all };
  const fixed = columns.filter(({ kind }) => kind === 'window' || kind === 'dimension').length;
  return (
    <tfoot>
      <tr>
        {fixed > 0 && (
          <th scope="row" colSpan={fixed}>
            {totalName(definitions, report.fields)}
          </th>
        )}
        {columns.slice(fixed).map((column, index) => (
          <BodyCell key={index} {...{ column, entry, report, state, onCell }} />
        ))}
      </tr>
    </tfoot>
  );
}
