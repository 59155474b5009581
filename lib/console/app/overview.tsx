import type { JSX } from 'preact';
import { findField, unitOf } from '../model/fields.ts';
import { suitingWindow } from '../model/period.ts';
import { type Report, seriesByWindow, windowsOf } from '../model/report.ts';
import { requestOf } from '../model/report-request.ts';
import { type ReportState, readReportState, USUAL_REPORT, writeReportState } from '../model/report-state.ts';
import { fieldLabel, text } from '../model/text.ts';
import { type Asked, useReport } from './ask.ts';
import { BarsChart } from './charts/bars.tsx';
import { HeatMap } from './charts/heat.tsx';
import { LineChart } from './charts/line.tsx';
import { Spark } from './charts/spark.tsx';
import { useApp } from './context.tsx';
import { Tour } from './import/page.tsx';
import { go, href } from './location.ts';
import { PeriodPicker } from './period-picker.tsx';
import { useCellMenu } from './report/cell-menu.tsx';
import { ReportTable } from './report/table.tsx';
import { Trouble } from './trouble.tsx';
import { Empty, Skeleton } from './ui.tsx';

/** A number of the overview: it shows the first of its fields that the service has. */
interface Tile {
  readonly fields: readonly string[];
  readonly good: 'up' | 'down' | 'neither'; // the direction of change that is good
  readonly isSlow?: boolean; // takes longer, so it is requested after the others
}

const TILES: readonly Tile[] = [
  { fields: ['case_creates'], good: 'neither' },
  { fields: ['resolved_cases'], good: 'up' },
  { fields: ['open_cases'], good: 'down' },
  { fields: ['time_to_first_response:p50', 'time_to_first_response'], good: 'down', isSlow: true },
  { fields: ['time_to_resolution:p50', 'avg_time_to_resolution'], good: 'down', isSlow: true },
  { fields: ['case_reopen_rate'], good: 'down' },
  { fields: ['csat_positive_rate'], good: 'up' },
  { fields: ['sla_first_response_rate'], good: 'up', isSlow: true },
];

const AGENT_FIELDS = ['resolved_cases', 'outbound_interactions', 'time_to_first_response', 'avg_handle_time'];

/** The overview page: numbers with their changes and trends, channels, agents, and when cases come in. */
export function Overview({ query }: { readonly query: URLSearchParams }): JSX.Element {
  const { definitions } = useApp();
  const { period, zone } = readReportState(query);
  const tiles = TILES.flatMap(({ fields, good, isSlow = false }) => {
    const field = fields.find((name) => definitions && findField(definitions, name));
    return field === undefined ? [] : [{ field, good, isSlow }];
  });
  const base: ReportState = { ...USUAL_REPORT, period, zone };
  const fieldsOf = (slow: boolean) => tiles.filter(({ isSlow }) => isSlow === slow).map(({ field }) => field);
  const quick = useTiles('overview', base, fieldsOf(false));
  const slow = useTiles('overview, slow', base, fieldsOf(true));
  const { asked } = quick;
  const choose = (next: Pick<ReportState, 'period' | 'zone'>): void => go(href('', writePeriod({ ...base, ...next })));
  const nothing = asked.data?.totals?.all.values.every((value) => value === null || value === 0);
  return (
    <div class={[quick, slow].some(isStale) ? 'page stale' : 'page'}>
      <header class="page-head">
        <h1>{text.overview.title}</h1>
        <PeriodPicker
          period={period}
          zone={zone}
          onChange={(chosen, where) => choose({ period: chosen, zone: where })}
        />
      </header>
      <Trouble error={asked.error} onAgain={asked.again} />
      {asked.error === undefined && <Trouble error={slow.asked.error} onAgain={slow.asked.again} />}
      <section class="tiles" aria-label={text.overview.title}>
        {tiles.map(({ field, good, isSlow }) => (
          <TileCard key={field} field={field} good={good} {...(isSlow ? slow : quick)} />
        ))}
      </section>
      {nothing ? <NoHistory /> : <Details base={base} course={asked} state={quick.state} />}
    </div>
  );
}

/** Some of the numbers, requested in one report. */
interface AskedTiles {
  readonly state: ReportState;
  readonly asked: Asked<Report>;
}

function useTiles(slot: string, base: ReportState, fields: readonly string[]): AskedTiles {
  const { definitions } = useApp();
  const state: ReportState = { ...base, fields, per: suitingWindow(base.period), compare: 'previous_period' };
  const body = fields.length === 0 ? undefined : requestOf(state, definitions?.site.time_zone);
  return { state, asked: useReport(slot, body, true) };
}

const isStale = ({ asked }: AskedTiles): boolean => asked.busy && asked.data !== undefined;

/** The query of the overview's address: only the period and the zone of a state. */
function writePeriod(state: ReportState): URLSearchParams {
  const query = writeReportState(state);
  for (const name of [...query.keys()]) if (!['last', 'from', 'until', 'zone'].includes(name)) query.delete(name);
  return query;
}

interface TileCardProps extends AskedTiles {
  readonly field: string;
  readonly good: Tile['good'];
}

function TileCard({ field, good, asked: { data, error }, state }: TileCardProps): JSX.Element {
  const { format, definitions } = useApp();
  const index = state.fields.indexOf(field);
  const unit = unitOf(definitions, field);
  const now = data?.totals?.all.values[index] ?? null;
  const before = data?.before?.totals?.all.values[index] ?? null;
  const report = href('/report', writeReportState({ ...state, fields: [field] }));
  return (
    <article class="tile">
      <h2>
        <a href={report}>{fieldLabel(field)}</a>
      </h2>
      {data ? (
        <>
          <p class="figure" data-field={field} data-value={now ?? ''} title={format.exact(now, unit)}>
            {format.value(now, unit)}
          </p>
          <Change now={now} before={before} good={good} />
          <Spark values={data.totals?.windows.map(({ values }) => values[index] ?? null) ?? []} />
        </>
      ) : error === undefined ? (
        <Skeleton />
      ) : (
        <p class="figure">{format.value(null, unit)}</p>
      )}
    </article>
  );
}

interface ChangeProps {
  readonly now: number | null;
  readonly before: number | null;
  readonly good: Tile['good'];
}

/** The change of a number: an arrow, the percentage, and in words whether it is good. */
function Change({ now, before, good }: ChangeProps): JSX.Element {
  const { format } = useApp();
  const change = format.change(now, before);
  if (now === null || before === null || before === 0) return <p class="change quiet">{text.overview.noChange}</p>;
  const percent = Math.round((100 * (now - before)) / before); // rounded, so that a shown 0 % is neither better nor worse
  const verdict = good === 'neither' || percent === 0 ? 'flat' : percent > 0 === (good === 'up') ? 'better' : 'worse';
  const words = verdict === 'flat' ? '' : `, ${text.overview[verdict]}`;
  return (
    <p class={`change ${verdict}`} title={text.overview.versus(change)}>
      <span aria-hidden="true">{percent === 0 ? '→' : percent > 0 ? '↑' : '↓'} </span>
      {change}
      <span class="hidden">{` ${text.overview.versus('')}${words}`}</span>
    </p>
  );
}

interface DetailsProps {
  readonly base: ReportState;
  readonly course: Asked<Report>;
  readonly state: ReportState;
}

function Details({ base, course, state }: DetailsProps): JSX.Element {
  return (
    <div class="cards">
      <Course asked={course} state={state} />
      <Channels base={base} />
      <Hours base={base} />
      <Agents base={base} />
    </div>
  );
}

interface CardProps {
  readonly title: string;
  readonly state: ReportState;
  readonly asked: Asked<Report>;
  readonly wide?: boolean;
  readonly children: (report: Report) => JSX.Element;
}

/** A part of the overview: a report with a link to its full page. */
function Card({ title, state, asked, wide = false, children }: CardProps): JSX.Element {
  return (
    <section class={wide ? 'card wide' : 'card'}>
      <header>
        <h2>{title}</h2>
        <a href={href('/report', writeReportState(state))} aria-label={`${text.overview.toReport}: ${title}`}>
          {text.overview.toReport}
        </a>
      </header>
      <Trouble error={asked.error} onAgain={asked.again} />
      {asked.data ? children(asked.data) : asked.error === undefined && <Skeleton tall />}
    </section>
  );
}

function Course({ asked, state }: { readonly asked: Asked<Report>; readonly state: ReportState }): JSX.Element {
  const { format } = useApp();
  const [open, menu] = useCellMenu(state, asked.data);
  const shown: ReportState = { ...state, fields: ['case_creates', 'resolved_cases'] };
  return (
    <Card title={text.overview.course} state={shown} asked={asked} wide>
      {(report) => {
        const windows = windowsOf(report);
        const fields = shown.fields.map((name) => report.fields.indexOf(name));
        const lines = fields.map((field) => ({
          name: fieldLabel(report.fields[field] ?? ''),
          values: seriesByWindow(report, field, true, 1)[0]?.values ?? [],
        }));
        const pick = (line: number, window: number, at: Element): void => {
          const field = fields[line] ?? 0;
          open(
            at,
            { row: { window: windows[window] ?? null, members: [null, null] }, field },
            lines[line]?.values[window] ?? null,
          );
        };
        return (
          <>
            <LineChart
              label={text.overview.course}
              windows={windows.map((start) => format.window(start, report.size))}
              ticksAcross={windows.map((start) => format.tick(start, report.size))}
              lines={lines}
              kind="count"
              tickText={(value) => format.value(value, 'cases')}
              valueText={(value) => format.value(value, 'cases')}
              onPick={pick}
              height={240}
            />
            <details class="numbers">
              <summary>{text.report.tableLabel}</summary>
              <ReportTable state={shown} report={narrowed(report, fields)} onCell={open} onSort={undefined} />
            </details>
            {menu}
          </>
        );
      }}
    </Card>
  );
}

/** A report with only some of its fields. */
function narrowed(report: Report, fields: readonly number[]): Report {
  const pick = <R extends Report['rows'][number]>(row: R): R => ({
    ...row,
    values: fields.map((field) => row.values[field] ?? null),
  });
  const { totals } = report;
  return {
    ...report,
    fields: fields.map((field) => report.fields[field] ?? ''),
    rows: report.rows.map(pick),
    totals: totals && { members: totals.members.map(pick), windows: totals.windows.map(pick), all: pick(totals.all) },
    before: undefined,
  };
}

function Channels({ base }: { readonly base: ReportState }): JSX.Element {
  const { format, names, definitions } = useApp();
  const state: ReportState = {
    ...base,
    fields: ['case_creates'],
    by: 'channel',
    per: 'none',
    compare: 'previous_period',
  };
  const asked = useReport('overview channels', requestOf(state, definitions?.site.time_zone));
  const [open, menu] = useCellMenu(state, asked.data);
  return (
    <Card title={text.overview.channels} state={state} asked={asked}>
      {(report) => {
        const rows = [...report.rows].sort((a, b) => (b.values[0] ?? 0) - (a.values[0] ?? 0)).slice(0, 12);
        const before = new Map(report.before?.rows.map(({ members, values }) => [members[0], values[0] ?? null]));
        return (
          <>
            <BarsChart
              label={text.overview.channels}
              bars={rows.map(({ members, values }) => ({
                key: String(members[0]),
                name: names.of('channel', members[0]),
                value: values[0] ?? null,
                before: before.get(members[0]) ?? null,
              }))}
              valueText={(value) => format.value(value, 'cases')}
              onPick={(bar, at) => rows[bar] && open(at, { row: rows[bar], field: 0 }, rows[bar].values[0] ?? null)}
            />
            {menu}
          </>
        );
      }}
    </Card>
  );
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];

function Hours({ base }: { readonly base: ReportState }): JSX.Element | null {
  const { definitions } = useApp();
  const has = (name: string) => definitions?.dimensions.some((dimension) => dimension.name === name);
  return has('weekday') && has('hour_of_day') ? <HoursCard base={base} /> : null;
}

function HoursCard({ base }: { readonly base: ReportState }): JSX.Element {
  const { format, names, definitions } = useApp();
  const state: ReportState = { ...base, fields: ['case_creates'], by: 'weekday', and: 'hour_of_day', per: 'none' };
  const asked = useReport('overview hours', requestOf(state, definitions?.site.time_zone));
  const [open, menu] = useCellMenu(state, asked.data);
  return (
    <Card title={text.overview.hours} state={state} asked={asked}>
      {(report) => {
        const values = new Map(
          report.rows.map(({ members, values: [value] }) => [`${members[0]} ${members[1]}`, value ?? null]),
        );
        const at = (down: number, across: number): number => values.get(`${WEEKDAYS[down]} ${HOURS[across]}`) ?? 0;
        return (
          <>
            <HeatMap
              label={text.overview.hoursHint}
              corner={text.overview.hours}
              down={WEEKDAYS.map(format.weekday)}
              across={HOURS.map((hour) => names.of('hour_of_day', hour).slice(0, 2))}
              valueAt={at}
              valueText={(value) => format.value(value, 'cases')}
              onPick={(down, across, element) => {
                const members = [WEEKDAYS[down] ?? null, HOURS[across] ?? null] as const;
                open(element, { row: { window: null, members }, field: 0 }, at(down, across));
              }}
            />
            {menu}
          </>
        );
      }}
    </Card>
  );
}

function Agents({ base }: { readonly base: ReportState }): JSX.Element {
  const { definitions } = useApp();
  const fields = AGENT_FIELDS.filter((name) => definitions && findField(definitions, name));
  const state: ReportState = {
    ...base,
    fields,
    by: 'action_agent',
    per: 'none',
    sort: { column: 1, descending: true },
  };
  const asked = useReport('overview agents', requestOf(state, definitions?.site.time_zone));
  const [open, menu] = useCellMenu(state, asked.data);
  return (
    <Card title={text.overview.agents} state={state} asked={asked} wide>
      {(report) => (
        <>
          {report.rows.length === 0 ? (
            <p class="quiet">{text.overview.none}</p>
          ) : (
            <ReportTable state={state} report={report} onCell={open} onSort={undefined} />
          )}
          {menu}
        </>
      )}
    </Card>
  );
}

function NoHistory(): JSX.Element {
  const { mayImport } = useApp();
  return (
    <Empty title={text.overview.noHistory} hint={text.overview.noHistoryHint}>
      {mayImport && (
        <a class="button primary" href={href('/import')}>
          {text.overview.bring}
        </a>
      )}
      <Tour />
    </Empty>
  );
}
