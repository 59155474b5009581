import type { JSX } from 'preact';
import { type BoardScope, overviewTiles, planBoard } from '../model/board.ts';
import { findField } from '../model/fields.ts';
import { nextWindow } from '../model/period.ts';
import { requestOf } from '../model/report-request.ts';
import { type ReportState, readReportState, USUAL_REPORT } from '../model/report-state.ts';
import { text } from '../model/text.ts';
import { useReport } from './ask.ts';
import { useBoard } from './board/answers.ts';
import { ScopeBar, useScopeActions } from './board/scope-bar.tsx';
import { BoardView, Covered } from './board/view.tsx';
import { useApp } from './context.tsx';
import { Tour } from './import/tour.tsx';
import { href } from './location.ts';
import { Trouble } from './trouble.tsx';
import { Empty } from './ui.tsx';

/** The overview page: the board that ships. */
export function Overview({ query }: { readonly query: URLSearchParams }): JSX.Element {
  const { definitions } = useApp();
  const { period, zone, filters } = readReportState(query);
  const scope: BoardScope = { period, zone, filters };
  const tiles = overviewTiles(scope, text.overview).flatMap((tile) => {
    const fields = tile.state.fields.filter((name) => definitions && findField(definitions, name));
    return fields.length === 0 ? [] : [{ ...tile, state: { ...tile.state, fields } }];
  });
  const plan = planBoard(tiles, definitions);
  const board = useBoard('overview', plan);
  const { onChange, onFilter } = useScopeActions('', scope);
  const [first] = board.answers;
  const error = board.answers.find(
    (answer) => plan.requests[board.answers.indexOf(answer)]?.isFirst && answer.error,
  )?.error;
  const nothing =
    filters.length === 0 && first?.data?.totals?.all.values.every((value) => value === null || value === 0);
  const isStale = board.answers.some(({ busy, data }) => busy && data !== undefined);
  return (
    <div class={isStale ? 'page stale' : 'page'}>
      <header class="page-head">
        <h1>{text.overview.title}</h1>
        <ScopeBar scope={scope} onChange={onChange} />
      </header>
      <Covered scope={scope} plan={plan} board={board} />
      <Trouble error={error} onAgain={board.refresh} />
      <BoardView
        name={text.overview.title}
        tiles={nothing ? tiles.filter(({ shownAs }) => shownAs === 'number') : tiles}
        plan={plan}
        board={board}
        onFilter={onFilter}
      />
      {nothing && <NoHistory />}
    </div>
  );
}

/** All that a site may have: its cases by month. Without members a report has no row for an empty window. */
const ALL_HISTORY: ReportState = {
  ...{ ...USUAL_REPORT, fields: ['case_creates'], by: 'status', per: 'month' },
  period: { kind: 'range', from: '1970-01-01', until: '2200-01-01' },
};

/** Says that a period is empty, and where the history lies, if there is any. */
function NoHistory(): JSX.Element {
  const { mayImport, format, definitions } = useApp();
  const { data } = useReport('history', requestOf(ALL_HISTORY, definitions?.site.time_zone));
  const months = (data?.rows.map(({ window }) => window ?? '') ?? []).sort();
  const [first, last] = [months[0], months.at(-1)];
  return (
    <Empty title={text.overview.noHistory} hint={text.overview.noHistoryHint}>
      {first !== undefined && last !== undefined && (
        <p>
          <a
            class="button primary"
            href={href(
              '',
              new URLSearchParams({
                from: first.slice(0, 10),
                until: nextWindow(last.slice(0, 10), 'month').slice(0, 10),
              }),
            )}
          >
            {text.overview.historyLies(format.window(first, 'month'), format.window(last, 'month'))}
          </a>
        </p>
      )}
      {mayImport && (
        <a class="button primary" href={href('/import')}>
          {text.overview.bring}
        </a>
      )}
      <Tour />
    </Empty>
  );
}
