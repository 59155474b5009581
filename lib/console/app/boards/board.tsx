import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import {
  type Board,
  type BoardScope,
  headReports,
  numberedTiles,
  planBoard,
  scopeOf,
  shownTiles,
} from '../../model/board/board.ts';
import { boardSheets } from '../../model/board/board-sheets.ts';
import { readReportState } from '../../model/report/report-state.ts';
import { boardText } from '../../model/text/board-text.ts';
import { sheetText } from '../../model/text/sheet-text.ts';
import { text } from '../../model/text/text.ts';
import { useSaidAttempt } from '../attempt.ts';
import { useBoard } from '../board/answers.ts';
import { ScopeBar, useScopeActions } from '../board/scope-bar.tsx';
import { BoardView } from '../board/view.tsx';
import * as extra from '../board/words.tsx';
import { useApp } from '../context.tsx';
import { Covered } from '../covered.tsx';
import { type Page, useResource } from '../edit/resource.ts';
import { go, href } from '../location.ts';
import { MailThis } from '../mail-this.tsx';
import type { SavedReport } from '../report/save.tsx';
import { saveSheets } from '../save-file.ts';
import { Trouble } from '../trouble.tsx';
import { Button, Empty, Skeleton } from '../ui/ui.tsx';
import { ALL_REPORTS, BOARDS, copyBoard } from './copy.ts';
import { BoardEditor } from './editor.tsx';
import { Links } from './links.tsx';

interface BoardPageProps {
  readonly id: string;
  readonly query: URLSearchParams;
}

/** The page of one board: to look at, to edit (`edit` in the address), or for the wall (`wall`). */
export function BoardPage({ id, query }: BoardPageProps): JSX.Element {
  const resource = useResource<Board>(`${BOARDS}/${encodeURIComponent(id)}`);
  const reports = useResource<Page<SavedReport>>(ALL_REPORTS);
  const { data: board } = resource;
  const saved = reports.data?._embedded.entries;
  if (board === undefined || saved === undefined) {
    const error = resource.error ?? reports.error;
    const again = (): void => {
      resource.reload();
      reports.reload();
    };
    return (
      <div class="page">
        <h1>{text.boards.title}</h1>
        {error === undefined ? <Skeleton tall /> : <Trouble error={error} onAgain={again} />}
      </div>
    );
  }
  if (query.has('edit')) return <BoardEditor board={board} resource={resource} reports={saved} />;
  return <Shown board={board} reports={saved} query={query} />;
}

interface ShownProps {
  readonly board: Board;
  readonly reports: readonly SavedReport[];
  readonly query: URLSearchParams;
}

/** The scope in an address, where it has one; otherwise the board's own. */
function readScope(board: Board, query: URLSearchParams): BoardScope {
  const own = scopeOf(board);
  const { period, zone, filters } = readReportState(query);
  const hasPeriod = query.has('last') || query.has('from');
  return {
    ...(hasPeriod ? { period, zone } : { period: own.period, zone: own.zone }),
    filters: query.has('where') ? filters : own.filters,
  };
}

function Shown({ board, reports, query }: ShownProps): JSX.Element {
  const app = useApp();
  const scope = readScope(board, query);
  const tiles = shownTiles(board.tiles, new Map(reports.map((report) => [report.id, report])), scope);
  const plan = planBoard(numberedTiles(tiles), app.definitions);
  const path = `/boards/${board.id}`;
  const answers = useBoard(`board ${board.id}`, plan);
  const { onChange, onFilter } = useScopeActions(path, scope);
  const onWall = query.has('wall');
  const attempt = useSaidAttempt();
  const [linking, setLinking] = useState(false);
  const with_ = (name: string): void => go(href(path, new URLSearchParams({ [name]: '' })));
  const copy = async (): Promise<void> => go(href(`/boards/${await copyBoard(app, board)}`));
  const exportAll = async (): Promise<void> => {
    const reports = answers.answers.map(({ data }) => data);
    const sheets = boardSheets(numberedTiles(tiles), plan, reports, app);
    const first = reports.find((report) => report !== undefined);
    if (first === undefined || sheets.length === 0) app.say(sheetText.none);
    else await saveSheets(sheets, 'xlsx', { thing: board.name, ...first });
  };
  const isStale = !onWall && answers.answers.some(({ busy, data }) => busy && data !== undefined);
  return (
    <div class={isStale ? 'page stale' : 'page'}>
      <header class="page-head">
        <h1 dir="auto">{board.name}</h1>
        {onWall ? (
          <Wall path={path} onRefresh={answers.refresh} />
        ) : (
          <div class="row">
            <Button kind="primary" onClick={() => with_('edit')}>
              {text.boards.edit}
            </Button>
            <Button onClick={() => attempt(copy)}>{text.boards.copy}</Button>
            <MailThis board={board.id} />
            <Button onClick={() => setLinking(true)}>{boardText.links.button}</Button>
            {linking && <Links board={board} onClose={() => setLinking(false)} />}
            <Button onClick={() => attempt(exportAll)}>{sheetText.board}</Button>
            <Button onClick={() => print()}>{text.boards.print}</Button>
            <Button
              onClick={() => {
                document.documentElement.requestFullscreen?.().catch(() => undefined); // the wall works in a window too
                with_('wall');
              }}
            >
              {text.boards.wall}
            </Button>
          </div>
        )}
      </header>
      {!onWall && <ScopeBar scope={scope} onChange={onChange} />}
      <Covered
        reports={headReports(plan, scope, answers.answers)}
        at={answers.at}
        fields={numberedTiles(tiles).flatMap(({ state }) => state.fields)}
      />
      {board.tiles.length === 0 ? (
        <Empty title={text.boards.empty} hint={text.boards.emptyHint}>
          <Button onClick={() => with_('edit')}>{text.boards.addTile}</Button>
        </Empty>
      ) : (
        <BoardView
          name={board.name}
          scope={scope}
          tiles={tiles}
          plan={plan}
          board={answers}
          extra={extra}
          onFilter={onFilter}
        />
      )}
    </div>
  );
}

const REFRESH = 5 * 60_000; // ms

/** Asks for the board again every five minutes, and ends the wall by Escape or its button. */
function Wall({ path, onRefresh }: { readonly path: string; readonly onRefresh: () => void }): JSX.Element {
  const end = (): void => {
    if (document.fullscreenElement) void document.exitFullscreen();
    go(href(path));
  };
  useEffect(() => {
    const timer = setInterval(onRefresh, REFRESH);
    return () => clearInterval(timer);
  });
  useEffect(() => {
    const key = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') end();
    };
    const left = (): void => {
      if (!document.fullscreenElement) end(); // the browser takes the first Escape for itself
    };
    document.addEventListener('keydown', key);
    document.addEventListener('fullscreenchange', left);
    return () => {
      document.removeEventListener('keydown', key);
      document.removeEventListener('fullscreenchange', left);
    };
  }, [path]);
  return (
    <Button kind="quiet" onClick={end}>
      {text.boards.endWall}
    </Button>
  );
}
