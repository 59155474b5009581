import type { JSX } from 'preact';
import { countsSomething, tickKind, unitOf } from '../../model/fields.ts';
import { gridOf, type Member, type Report, seriesByWindow, windowsOf } from '../../model/report.ts';
import type { Chart, ReportState } from '../../model/report-state.ts';
import { chartOf, chartsFor, type Shape } from '../../model/shape.ts';
import { fieldLabel, text } from '../../model/text.ts';
import { BarsChart } from '../charts/bars.tsx';
import { HeatMap } from '../charts/heat.tsx';
import { type ChartProps, type Line, LineChart } from '../charts/line.tsx';
import { StackedChart } from '../charts/stacked.tsx';
import { useApp } from '../context.tsx';
import type { OpenCell } from './cell-menu.tsx';

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
  const { definitions } = useApp();
  const field = Math.min(state.chartField, report.fields.length - 1);
  const name = report.fields[field] ?? '';
  const shape: Shape = {
    windows: report.size !== 'none',
    dimensions: report.dimensions.length,
    adds: countsSomething(name, unitOf(definitions, name)) && name !== 'open_cases',
  };
  const chart = chartOf(shape, state.chart);
  const charts = chartsFor(shape);
  if (chart === undefined || report.rows.length === 0) return null;
  return (
    <section class="card chart-card" aria-label={text.report.chart}>
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
                  {fieldLabel(each)}
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
      </div>
      <Drawn chart={chart} report={report} field={field} onCell={onCell} />
    </section>
  );
}

interface DrawnProps {
  readonly chart: Chart;
  readonly report: Report;
  readonly field: number;
  readonly onCell: OpenCell;
}

function Drawn(props: DrawnProps): JSX.Element | null {
  const { chart, report } = props;
  if (chart === 'heat') return <Heat {...props} />;
  if (report.size !== 'none') return <OverWindows {...props} />;
  return chart === 'bars' ? <Bars {...props} /> : <Columns {...props} />;
}

function OverWindows({ chart, report, field, onCell }: DrawnProps): JSX.Element {
  const { format, names, definitions } = useApp();
  const name = report.fields[field] ?? '';
  const unit = unitOf(definitions, name);
  const windows = windowsOf(report);
  // Without dimensions, fields of the same unit are in one chart.
  const together = report.dimensions.length === 0 && chart === 'line' && report.before === undefined;
  const fields = together
    ? report.fields.flatMap((each, index) => (unitOf(definitions, each) === unit ? [index] : []))
    : [field];
  const series = fields.flatMap((index) =>
    seriesByWindow(report, index, countsSomething(report.fields[index] ?? '', unit), SERIES),
  );
  const nameOf = (members: readonly Member[]): string =>
    report.dimensions.map((dimension, index) => names.of(dimension, members[index] ?? null)).join(' · ');
  const lines: Line[] = series.map((each) => ({
    name: report.dimensions.length === 0 ? fieldLabel(report.fields[each.field] ?? '') : nameOf(each.members),
    values: each.values,
  }));
  if (report.before && report.dimensions.length === 0 && chart === 'line') {
    const values =
      seriesByWindow({ ...report, ...report.before }, field, countsSomething(name, unit), 1)[0]?.values ?? [];
    lines.push({ name: text.report.before(fieldLabel(name)), values: values.slice(0, windows.length), before: true });
  }
  const all = new Set(report.rows.map(({ members }) => JSON.stringify(members))).size;
  const props: ChartProps = {
    label: `${fieldLabel(name)}, ${text.report.charts[chart]}`,
    windows: windows.map((start) => format.window(start, report.size)),
    ticksAcross: windows.map((start) => format.tick(start, report.size)),
    lines,
    kind: tickKind(unit),
    tickText: (value) => format.value(value, unit),
    valueText: (value) => format.value(value, unit),
    onPick: (line, window, at) => {
      const chosen = series[line];
      if (!chosen) return;
      onCell(
        at,
        { row: { window: windows[window] ?? null, members: chosen.members }, field: chosen.field },
        chosen.values[window] ?? null,
      );
    },
  };
  return (
    <>
      {chart === 'line' ? <LineChart {...props} /> : <StackedChart {...props} />}
      {all > SERIES && <p class="quiet small">{text.report.largest(SERIES)}</p>}
    </>
  );
}

function Bars({ report, field, onCell }: DrawnProps): JSX.Element {
  const { format, names, definitions } = useApp();
  const unit = unitOf(definitions, report.fields[field] ?? '');
  const [dimension = ''] = report.dimensions;
  const ordered = ['weekday', 'hour_of_day', 'priority', 'csat_score'].includes(dimension);
  const rows = ordered
    ? report.rows
    : [...report.rows].sort((a, b) => (b.values[field] ?? -1) - (a.values[field] ?? -1));
  const shown = rows.slice(0, BARS);
  const before = new Map(report.before?.rows.map(({ members, values }) => [members[0], values[field] ?? null]));
  return (
    <>
      <BarsChart
        label={`${fieldLabel(report.fields[field] ?? '')}, ${names.label(dimension)}`}
        bars={shown.map(({ members, values }) => ({
          key: String(members[0]),
          name: names.of(dimension, members[0]),
          value: values[field] ?? null,
          before: before.get(members[0]) ?? null,
        }))}
        valueText={(value) => format.value(value, unit)}
        onPick={(bar, at) => shown[bar] && onCell(at, { row: shown[bar], field }, shown[bar].values[field] ?? null)}
      />
      {rows.length > BARS && <p class="quiet small">{text.report.largest(BARS)}</p>}
    </>
  );
}

/** Columns for the members of the first dimension, with the members of the second stacked. */
function Columns({ report, field, onCell }: DrawnProps): JSX.Element {
  const { format, names, definitions } = useApp();
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
      label={`${fieldLabel(report.fields[field] ?? '')}, ${names.label(one)}`}
      windows={labels}
      ticksAcross={labels}
      lines={across.map((member) => ({
        name: names.of(two, member),
        values: down.map((each) => grid?.at(each, member)?.values[field] ?? 0),
      }))}
      kind={tickKind(unit)}
      tickText={(value) => format.value(value, unit)}
      valueText={(value) => format.value(value, unit)}
      onPick={(series, index, at) => {
        const row = grid?.at(down[index] ?? null, across[series] ?? null);
        if (row) onCell(at, { row, field }, row.values[field] ?? null);
      }}
    />
  );
}

function Heat({ report, field, onCell }: DrawnProps): JSX.Element | null {
  const { format, names, definitions } = useApp();
  const name = report.fields[field] ?? '';
  const unit = unitOf(definitions, name);
  const grid = gridOf(report);
  if (grid === undefined) return null;
  const [one = '', two] = report.dimensions;
  const down = grid.down.slice(0, GRID);
  const across = grid.across.slice(0, GRID * 2);
  const acrossName = (member: Member): string =>
    two === undefined
      ? report.size === 'none'
        ? ''
        : format.tick(String(member), report.size)
      : names.of(two, member);
  const valueAt = (row: number, column: number): number | null =>
    grid.at(down[row] ?? null, across[column] ?? null)?.values[field] ?? (countsSomething(name, unit) ? 0 : null);
  return (
    <HeatMap
      label={`${fieldLabel(name)}, ${text.report.charts.heat}`}
      corner={names.label(one)}
      down={down.map((member) => names.of(one, member))}
      across={across.map(acrossName)}
      valueAt={valueAt}
      valueText={(value) => format.value(value, unit)}
      onPick={(row, column, at) => {
        const found = grid.at(down[row] ?? null, across[column] ?? null);
        if (found) onCell(at, { row: found, field }, found.values[field] ?? null);
      }}
    />
  );
}
