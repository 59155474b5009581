import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { Definitions } from '../../model/definitions.ts';
import { canStack, countsSomething, tickKind, unitOf } from '../../model/fields.ts';
import { isOrdered } from '../../model/names.ts';
import {
  gridOf,
  isAhead,
  type Member,
  type Report,
  rangesText,
  rangeText,
  seriesByWindow,
  windowsOf,
} from '../../model/report/report.ts';
import type { Chart, ReportState } from '../../model/report/report-state.ts';
import { chartOf, chartsFor, type ReportShape } from '../../model/report/shape.ts';
import { text } from '../../model/text/text.ts';
import { useSaidAttempt } from '../attempt.ts';
import { BarsChart } from '../charts/bars.tsx';
import { HeatMap } from '../charts/heat.tsx';
import { type ChartProps, type Line, LineChart } from '../charts/line.tsx';
import { StackedChart } from '../charts/stacked.tsx';
import { useApp, useDisplay } from '../context.tsx';
import { fileName, saveFile } from '../save-file.ts';
import { Menu } from '../ui/ui.tsx';
import type { OpenCell } from './cell-menu.tsx';
import { ReportTable } from './table.tsx';

const SERIES = 8; // as many as there are colours
const BARS = 30;
const GRID = 60; // rows and columns of a heat map

interface ReportChartProps {
  readonly state: ReportState;
  readonly report: Report;
  readonly onCell: OpenCell;
  readonly onChange: (change: Partial<ReportState>) => void;
}

/** The chart of a report: the chosen one, or the one that suits its shape. */
export function ReportChart({ state, report, onCell, onChange }: ReportChartProps): JSX.Element | null {
  const { names, definitions } = useApp();
  const field = Math.min(state.chartField, report.fields.length - 1);
  const shape = shapeOf(report, field, definitions);
  const chart = chartOf(shape, state.chart);
  const charts = chartsFor(shape);
  const card = useRef<HTMLElement>(null);
  if (chart === undefined || report.rows.length === 0) return null;
  return (
    <section class="card chart-card" aria-label={text.report.chart} ref={card}>
      <div class="row spread">
        {report.fields.length > 1 && (
          <label class="inline">
            {text.report.chartField}
            <select
              class="input"
              value={field}
              onChange={(event) => onChange({ chartField: Number(event.currentTarget.value) })}
            >
              {report.fields.map((each, index) => (
                <option key={each} value={index}>
                  {names.field(each)}
                </option>
              ))}
            </select>
          </label>
        )}
        {charts.length > 1 && (
          <fieldset class="segments">
            <legend class="hidden">{text.report.chart}</legend>
            {charts.map((each) => (
              <button key={each} type="button" aria-pressed={each === chart} onClick={() => onChange({ chart: each })}>
                {text.report.charts[each]}
              </button>
            ))}
          </fieldset>
        )}
        <PictureMenu card={card} state={state} report={report} field={report.fields[field] ?? ''} />
      </div>
      <Drawn chart={chart} report={report} field={field} onCell={onCell} />
    </section>
  );
}

interface PictureMenuProps {
  readonly card: { readonly current: HTMLElement | null };
  readonly state: ReportState;
  readonly report: Report;
  readonly field: string;
}

/** Saves the chart as a picture, named by its number and its dates. */
function PictureMenu({ card, state, report, field }: PictureMenuProps): JSX.Element {
  const { names, format } = useApp();
  const attempt = useSaidAttempt();
  const by = [state.by, state.and].flatMap((dimension) => (dimension === null ? [] : [names.label(dimension)]));
  const title = [names.title(field), ...by].join(' · ');
  const period = rangesText(report, format);
  const save = (ending: 'png' | 'svg'): Promise<void> =>
    attempt(async () => {
      const chart = card.current?.querySelector('.chart');
      if (!chart) return;
      const { pictureOf, pngOf } = await import('../charts/picture.ts');
      const picture = pictureOf(chart, title, period);
      const content = ending === 'svg' ? new Blob([picture.svg], { type: 'image/svg+xml' }) : await pngOf(picture);
      saveFile(content, fileName(`${title} ${rangeText(report, format)}`, ending));
    });
  const items = (['png', 'svg'] as const).map((ending) => [ending.toUpperCase(), () => save(ending)] as const);
  return <Menu label={text.report.picture} kind="button quiet" items={items} />;
}

function shapeOf(report: Report, field: number, definitions: Definitions | undefined): ReportShape {
  const name = report.fields[field] ?? '';
  return {
    windows: report.size !== 'none',
    dimensions: report.dimensions.length,
    adds: canStack(definitions, name),
  };
}

interface DrawingProps extends Pick<ReportChartProps, 'state' | 'report'> {
  readonly onCell: OpenCell | undefined; // undefined: there is nothing but to look
  readonly label: string; // for screen readers: no other tile of the page has it
  readonly goal?: number | undefined; // of the first field, drawn as a line
}

/** A report drawn without controls, with its numbers below. One that no chart can show is a table. */
export function Drawing({ state, report, onCell, label, goal }: DrawingProps): JSX.Element {
  const { definitions } = useDisplay();
  const field = Math.min(state.chartField, report.fields.length - 1);
  const chart = chartOf(shapeOf(report, field, definitions), state.chart);
  const table = <ReportTable state={state} report={report} onCell={onCell} onSort={undefined} label={label} />;
  if (chart === undefined) return table;
  return (
    <>
      <Drawn chart={chart} report={report} field={field} onCell={onCell} label={label} goal={goal} />
      <details class="numbers">
        <summary>{text.report.tableLabel}</summary>
        {table}
      </details>
    </>
  );
}

interface DrawnProps {
  readonly chart: Chart;
  readonly report: Report;
  readonly field: number;
  readonly onCell: OpenCell | undefined;
  readonly label?: string; // of the heat map, where a page has several
  readonly goal?: number | undefined;
}

function Drawn(props: DrawnProps): JSX.Element | null {
  const { chart, report } = props;
  if (chart === 'heat') return <Heat {...props} />;
  if (report.size !== 'none') return <OverWindows {...props} />;
  return chart === 'bars' ? <Bars {...props} /> : <Columns {...props} />;
}

function OverWindows({ chart, report, field, onCell, goal }: DrawnProps): JSX.Element {
  const { format, names, definitions } = useDisplay();
  const name = report.fields[field] ?? '';
  const unit = unitOf(definitions, name);
  const windows = windowsOf(report);
  // Without dimensions, fields of the same unit are in one chart.
  const together = report.dimensions.length === 0 && chart === 'line' && report.before === undefined;
  const fields = together
    ? report.fields.flatMap((each, index) => (unitOf(definitions, each) === unit ? [index] : []))
    : [field];
  const series = fields.flatMap((index) =>
    seriesByWindow(report, index, countsSomething(definitions, report.fields[index] ?? ''), SERIES),
  );
  const nameOf = (members: readonly Member[]): string =>
    report.dimensions.map((dimension, index) => names.of(dimension, members[index] ?? null)).join(' · ');
  const lines: Line[] = series.map((each) => ({
    name: report.dimensions.length === 0 ? names.field(report.fields[each.field] ?? '') : nameOf(each.members),
    values: each.values,
  }));
  if (report.before && report.dimensions.length === 0 && chart === 'line') {
    const values =
      seriesByWindow({ ...report, ...report.before }, field, countsSomething(definitions, name), 1)[0]?.values ?? [];
    lines.push({ name: text.report.before(names.field(name)), values: values.slice(0, windows.length), before: true });
  }
  const all = new Set(report.rows.map(({ members }) => JSON.stringify(members))).size;
  const props: ChartProps = {
    label: `${names.field(name)}, ${text.report.charts[chart]}`,
    windows: windows.map((start) => format.window(start, report.size)),
    ticksAcross: windows.map((start) => format.tick(start, report.size)),
    lines,
    kind: tickKind(unit),
    goal,
    valueText: (value) => format.value(value, unit),
    onPick:
      onCell &&
      ((line, window, at) => {
        const chosen = series[line];
        if (!chosen) return;
        onCell(
          at,
          { row: { window: windows[window] ?? null, members: chosen.members }, field: chosen.field },
          chosen.values[window] ?? null,
        );
      }),
  };
  return (
    <>
      {chart === 'line' ? <LineChart {...props} /> : <StackedChart {...props} />}
      {all > SERIES && <p class="quiet small">{text.report.largest(SERIES)}</p>}
    </>
  );
}

function Bars({ report, field, onCell, goal }: DrawnProps): JSX.Element {
  const { format, names, definitions } = useDisplay();
  const unit = unitOf(definitions, report.fields[field] ?? '');
  const [dimension = ''] = report.dimensions;
  const ordered = isOrdered(names.written(dimension));
  const rows = ordered
    ? report.rows
    : [...report.rows].sort((a, b) => (b.values[field] ?? -1) - (a.values[field] ?? -1));
  const shown = rows.slice(0, BARS);
  const before = new Map(report.before?.rows.map(({ members, values }) => [members[0], values[field] ?? null]));
  return (
    <>
      <BarsChart
        label={`${names.field(report.fields[field] ?? '')}, ${names.label(dimension)}`}
        bars={shown.map(({ members, values }) => ({
          key: String(members[0]),
          name: names.of(dimension, members[0]),
          value: values[field] ?? null,
          before: before.get(members[0]) ?? null,
        }))}
        goal={goal}
        valueText={(value) => format.value(value, unit)}
        onPick={
          onCell &&
          ((bar, at) => shown[bar] && onCell(at, { row: shown[bar], field }, shown[bar].values[field] ?? null))
        }
      />
      {rows.length > BARS && <p class="quiet small">{text.report.largest(BARS)}</p>}
    </>
  );
}

/** Columns for the members of the first dimension, with the members of the second stacked. */
function Columns({ report, field, onCell }: DrawnProps): JSX.Element {
  const { format, names, definitions } = useDisplay();
  const unit = unitOf(definitions, report.fields[field] ?? '');
  const grid = gridOf(report);
  const [one = '', two = ''] = report.dimensions;
  const down = grid?.down.slice(0, GRID) ?? [];
  const weight = (member: Member): number =>
    down.reduce<number>((sum, each) => sum + (grid?.at(each, member)?.values[field] ?? 0), 0);
  const across = [...(grid?.across ?? [])].sort((a, b) => weight(b) - weight(a)).slice(0, SERIES);
  const labels = down.map((member) => names.of(one, member));
  return (
    <StackedChart
      label={`${names.field(report.fields[field] ?? '')}, ${names.label(one)}`}
      windows={labels}
      ticksAcross={labels}
      lines={across.map((member) => ({
        name: names.of(two, member),
        values: down.map((each) => grid?.at(each, member)?.values[field] ?? 0),
      }))}
      kind={tickKind(unit)}
      valueText={(value) => format.value(value, unit)}
      onPick={
        onCell &&
        ((series, index, at) => {
          const row = grid?.at(down[index] ?? null, across[series] ?? null);
          if (row) onCell(at, { row, field }, row.values[field] ?? null);
        })
      }
    />
  );
}

function Heat({ report, field, onCell, label }: DrawnProps): JSX.Element | null {
  const { format, names, definitions } = useDisplay();
  const name = report.fields[field] ?? '';
  const unit = unitOf(definitions, name);
  const grid = gridOf(report);
  if (grid === undefined) return null;
  const [one = '', two] = report.dimensions;
  const down = names.drawn(one, grid.down).slice(0, GRID);
  const across = names.drawn(two, grid.across).slice(0, GRID * 2);
  const acrossName = (member: Member): string =>
    two === undefined
      ? report.size === 'none'
        ? ''
        : format.tick(String(member), report.size)
      : names.of(two, member).replace(/^(\d\d):00$/, '$1'); // hours have the room of two digits
  const valueAt = (row: number, column: number): number | null => {
    const window = across[column] ?? null;
    if (two === undefined && isAhead(report, window)) return null;
    const empty = countsSomething(definitions, name) ? 0 : null;
    return grid.at(down[row] ?? null, window)?.values[field] ?? empty;
  };
  return (
    <HeatMap
      label={`${label ?? names.field(name)}, ${text.report.charts.heat}`}
      corner={names.label(one)}
      down={down.map((member) => names.of(one, member))}
      across={across.map(acrossName)}
      valueAt={valueAt}
      valueText={(value) => format.value(value, unit)}
      onPick={
        onCell &&
        ((row, column, at) => {
          const members = [down[row] ?? null, across[column] ?? null] as const;
          const found = grid.at(...members);
          const empty =
            two === undefined
              ? { window: String(members[1]), members: [members[0], null] as const }
              : { window: null, members };
          onCell(at, { row: found ?? empty, field }, valueAt(row, column));
        })
      }
    />
  );
}
