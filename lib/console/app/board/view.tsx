import type { JSX } from 'preact';
import {
  type BoardPart,
  type BoardPlan,
  type BoardScope,
  isInScope,
  isWords,
  layoutOf,
  numberedTiles,
  partOf,
  type ShownTile,
  sectionsOf,
} from '../../model/board/board.ts';
import { unitOf } from '../../model/fields.ts';
import { emptyText } from '../../model/names.ts';
import { datesText, type Report, rangesText } from '../../model/report/report.ts';
import { type ReportState, writeReportState } from '../../model/report/report-state.ts';
import { text } from '../../model/text/text.ts';
import { About } from '../about.tsx';
import { ChangeMark } from '../change-mark.tsx';
import { Spark } from '../charts/spark.tsx';
import { useApp, useDisplay } from '../context.tsx';
import { href } from '../location.ts';
import { type CellActions, useCellMenu } from '../report/cell-menu.tsx';
import { Drawing } from '../report/chart.tsx';
import { ReportTable } from '../report/table.tsx';
import { Trouble } from '../trouble.tsx';
import { periodText } from '../ui/period-picker.tsx';
import { Popover, Skeleton } from '../ui/ui.tsx';
import type { BoardAnswer, BoardAnswers } from './answers.ts';

/** The components of `words.tsx`, which the first page of the console does not load. */
type BoardExtra = Pick<typeof import('./words.tsx'), 'Words' | 'GoalWords'>;

interface BoardViewProps {
  readonly name: string;
  readonly scope: BoardScope; // whose dates stand above the board
  readonly tiles: readonly BoardPart[];
  readonly plan: BoardPlan; // of the tiles that have numbers
  readonly board: BoardAnswers;
  /** What shows headings, texts and goals; the overview has none of them. */
  readonly extra?: BoardExtra;
  /** Filters the board to a member of a dimension. */
  readonly onFilter: CellActions['onFilter'];
}

/** The tiles of a board: numbers side by side, others in two columns. */
export function BoardView({ name, scope, tiles, plan, board, extra, onFilter }: BoardViewProps): JSX.Element {
  const there = numberedTiles(tiles);
  const answerOf = (tile: ShownTile): BoardAnswer | undefined => board.answers[plan.of[there.indexOf(tile)] ?? -1];
  const sections = sectionsOf(tiles.map(layoutOf));
  return (
    <>
      {sections.map((section) => {
        const shown = section.map((index) => tiles[index]);
        return layoutOf(shown[0]) === 'number' ? (
          <section key={section[0]} class="tiles" aria-label={name}>
            {numberedTiles(shown).map((tile) => (
              <NumberTile key={tile.key} tile={tile} scope={scope} answer={answerOf(tile)} extra={extra} />
            ))}
          </section>
        ) : (
          <div key={section[0]} class="cards">
            {shown.map((tile, index) =>
              isWords(tile) ? (
                extra && <extra.Words {...tile} />
              ) : tile ? (
                <Card
                  key={tile.key}
                  tile={tile}
                  answer={answerOf(tile)}
                  board={board}
                  extra={extra}
                  onFilter={onFilter}
                />
              ) : (
                <RemovedTile key={`removed ${section[index]}`} />
              ),
            )}
          </div>
        );
      })}
    </>
  );
}

const RemovedTile = (): JSX.Element => (
  <section class="card">
    <h2>{text.boards.removed}</h2>
    <p class="quiet">{text.boards.removedHint}</p>
  </section>
);

interface TileProps {
  readonly tile: ShownTile;
  readonly answer: BoardAnswer | undefined;
  readonly extra: BoardExtra | undefined;
}

function NumberTile({ tile, scope, answer, extra }: TileProps & { readonly scope: BoardScope }): JSX.Element {
  const { names, format, definitions } = useApp();
  const { state, title, wide, goal } = tile;
  const report = answer?.data && partOf(answer.data, state);
  const dates =
    report === undefined || isInScope(state, scope)
      ? periodText(state.period, format.date)
      : datesText(report, format, definitions?.site.time_zone);
  const target = (fields: readonly string[]): string => href('/report', writeReportState({ ...state, fields }));
  return (
    <article class={wide ? 'tile wide' : 'tile'} aria-busy={answer?.busy ?? true}>
      {state.fields.map((field, index) => (
        <div key={field}>
          <h2>
            <a href={target([field])} dir="auto">
              {(state.fields.length === 1 && title) || names.field(field)}
            </a>
          </h2>
          <p class="quiet small">{dates}</p>
          <Popover label="?" name={text.glossary.about(names.field(field))} kind="about-button" align="end">
            {() => <About field={field} />}
          </Popover>
          <NumberFigure {...{ field, index, report, state }} failed={answer?.error !== undefined} />
          {goal && report && extra && index === 0 && <extra.GoalWords report={report} goal={goal} isWhole />}
        </div>
      ))}
    </article>
  );
}

interface FigureProps {
  readonly field: string;
  readonly index: number;
  readonly report: Report | undefined;
  readonly state: ReportState | undefined; // undefined: nobody may ask why it changed
  readonly failed: boolean;
}

const NO_MEMBERS = { window: null, members: [null, null] } as const;

/** A number with its change and its small line. */
export function NumberFigure({ field, index, report, state, failed }: FigureProps): JSX.Element {
  const { format, definitions } = useDisplay();
  const unit = unitOf(definitions, field);
  if (report === undefined) return failed ? <p class="figure">{format.value(null, unit)}</p> : <Skeleton />;
  const now = report.totals?.all.values[index] ?? null;
  return (
    <>
      <p class="number-line">
        <span class="figure" data-field={field} data-value={now ?? ''} title={format.exact(now, unit)}>
          {format.value(now, unit)}
        </span>
        <ChangeMark
          field={field}
          now={now}
          before={report.before?.totals?.all.values[index] ?? null}
          byChance={report.totals?.all.chance?.[index]}
          ranges={rangesText(report, format)}
          number={state && { state, report, cell: { row: NO_MEMBERS, field: index } }}
        />
      </p>
      <Spark values={report.totals?.windows.map(({ values }) => values[index] ?? null) ?? []} />
    </>
  );
}

interface CardProps extends TileProps {
  readonly board: BoardAnswers;
  readonly onFilter: CellActions['onFilter'];
}

/** A tile with a chart or a table, and a link to its full report. */
function Card({ tile, answer, board, extra, onFilter }: CardProps): JSX.Element {
  const { names, format, definitions } = useApp();
  const { state, shownAs, wide, goal } = tile;
  const title = tile.title ?? text.listAnd(state.fields.map(names.field));
  const label = text.boards.tileLabel(title, Number(tile.key) + 1);
  const report = answer?.data && partOf(answer.data, state);
  const [open, menu] = useCellMenu(state, report, { onFilter });
  return (
    <section class={wide ? 'card wide' : 'card'} aria-busy={answer?.busy ?? true}>
      <header>
        <h2 dir="auto">{title}</h2>
        <a href={href('/report', writeReportState(state))} aria-label={`${text.overview.toReport}: ${title}`}>
          {text.overview.toReport}
        </a>
      </header>
      <p class="quiet small">
        {report ? datesText(report, format, definitions?.site.time_zone) : periodText(state.period, format.date)}
      </p>
      {goal && report && extra && <extra.GoalWords report={report} goal={goal} isWhole={false} />}
      {answer?.error !== undefined && <Trouble error={answer.error} onAgain={board.refresh} />}
      {report === undefined && answer?.error === undefined && <Skeleton tall />}
      {report?.rows.length === 0 && <p class="quiet">{emptyText(names, report)}</p>}
      {report && report.rows.length > 0 && shownAs === 'table' && (
        <ReportTable state={state} report={report} onCell={open} onSort={undefined} label={label} />
      )}
      {report && report.rows.length > 0 && shownAs !== 'table' && (
        <Drawing state={state} report={report} onCell={open} label={label} goal={goal?.value} />
      )}
      {menu}
    </section>
  );
}
