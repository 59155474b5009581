import type { JSX } from 'preact';
import { type BoardScope, headReports, overviewTiles, planBoard } from '../model/board/board.ts';
import { findField } from '../model/fields.ts';
import { USUAL_PERIOD, writeLast } from '../model/period.ts';
import { readReportState } from '../model/report/report-state.ts';
import { text } from '../model/text/text.ts';
import { useBoard } from './board/answers.ts';
import { ScopeBar, useScopeActions } from './board/scope-bar.tsx';
import { BoardView } from './board/view.tsx';
import { useApp } from './context.tsx';
import { Covered } from './covered.tsx';
import { later } from './later.tsx';
import { href } from './location.ts';
import { Trouble } from './trouble.tsx';

const NoCases = later(async () => (await import('./no-cases.tsx')).NoCases);

/** The overview page: the board that ships. It opens on the newest period that has cases. */
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
      <Covered
        reports={headReports(plan, scope, board.answers)}
        at={board.at}
        fields={tiles.flatMap(({ state }) => state.fields)}
      />
      <Newest query={query} />
      <Trouble error={error} onAgain={board.refresh} />
      {nothing ? (
        <NoCases period={period} isChosen={query.has('last') || query.has('from')} />
      ) : (
        <BoardView
          name={text.overview.title}
          scope={scope}
          tiles={tiles}
          plan={plan}
          board={board}
          onFilter={onFilter}
        />
      )}
    </div>
  );
}

/** Says how old the newest cases are, where the overview opened on their period, and leads back to the present. */
function Newest({ query }: { readonly query: URLSearchParams }): JSX.Element | null {
  const { format } = useApp();
  const newest = /^\d{4}-\d\d-\d\d$/.exec(query.get('newest') ?? '')?.[0];
  if (newest === undefined || Number.isNaN(Date.parse(newest))) return null;
  return (
    <p role="status">
      {text.overview.newest(format.date(newest))}{' '}
      <a href={href('', new URLSearchParams({ last: writeLast(USUAL_PERIOD) }))}>{text.overview.toNow}</a>
    </p>
  );
}
