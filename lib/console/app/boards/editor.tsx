import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import {
  type Board,
  type BoardScope,
  type BoardTile,
  moved,
  numberedTiles,
  planBoard,
  scopeOf,
  shownTiles,
} from '../../model/board/board.ts';
import { unitOf } from '../../model/fields.ts';
import { stateOf } from '../../model/report/report-open.ts';
import { spanOf, toCondition } from '../../model/report/report-request.ts';
import { boardText } from '../../model/text/board-text.ts';
import { text } from '../../model/text/text.ts';
import { topicText } from '../../model/text/topic-text.ts';
import { useBoard } from '../board/answers.ts';
import { ScopeBar } from '../board/scope-bar.tsx';
import { BoardView } from '../board/view.tsx';
import * as extra from '../board/words.tsx';
import { useApp } from '../context.tsx';
import { Conflict, type Difference } from '../edit/conflict.tsx';
import type { Resource } from '../edit/resource.ts';
import { useWrites } from '../edit/writes.ts';
import { go, href } from '../location.ts';
import type { SavedReport } from '../report/save.tsx';
import { Trouble } from '../trouble.tsx';
import { ConfirmButton } from '../ui/dialog.tsx';
import { Check, fieldFault, TextField } from '../ui/fields.tsx';
import { Reorder } from '../ui/reorder.tsx';
import { Button } from '../ui/ui.tsx';
import { useUnsaved } from '../unsaved.tsx';
import { BOARDS, sentTile } from './copy.ts';
import { AddTile, TileForm } from './tile-form.tsx';

interface EditorProps {
  readonly board: Board;
  readonly resource: Resource<Board>;
  readonly reports: readonly SavedReport[];
}

interface Draft {
  readonly name: string;
  readonly tiles: readonly BoardTile[];
  readonly scope: BoardScope;
}

const draftOf = (board: Board): Draft => ({
  name: board.name,
  tiles: board.tiles.map(sentTile),
  scope: scopeOf(board),
});

/** Edits a board: its name, period and filters, and its tiles. Nothing is written before it is saved. */
export function BoardEditor({ board, resource, reports }: EditorProps): JSX.Element {
  const { definitions } = useApp();
  const [draft, setDraft] = useState(() => draftOf(board));
  const { error, theirs, write, overwrite, takeTheirs } = useWrites(`${BOARDS}/${board.id}`, resource);
  const page = href(`/boards/${board.id}`);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(board));
  const leave = useUnsaved(isChanged);
  const nameOf = ({ saved_report, heading, text: words }: BoardTile): string =>
    heading ?? words ?? reports.find(({ id }) => id === saved_report)?.name ?? text.boards.removed;
  const change = (part: Partial<Draft>): void => setDraft({ ...draft, ...part });
  const setTile = (index: number, part: Partial<BoardTile>): void =>
    change({ tiles: draft.tiles.map((tile, other) => (other === index ? { ...tile, ...part } : tile)) });

  const body = bodyOf(draft, definitions?.site.time_zone);
  const latest = useRef(draft);
  latest.current = draft;
  const leaveFor = (address: string) => (): void => {
    if (latest.current !== draft) return; // it was changed while this one was saved
    leave();
    go(address);
  };
  return (
    <div class="page">
      <header class="page-head">
        <h1 dir="auto">{text.boards.editing(board.name)}</h1>
        <div class="row">
          {isChanged && <span class="quiet small">{text.edit.unsaved}</span>}
          <Button kind="primary" onClick={() => write('PATCH', body, leaveFor(page))}>
            {text.edit.save}
          </Button>
          <Button onClick={() => go(page)}>{text.edit.cancel}</Button>
          <ConfirmButton
            kind="danger"
            question={text.edit.confirmRemove(board.name)}
            yes={text.edit.remove}
            onYes={() => write('DELETE', undefined, leaveFor(href('/boards')))}
          >
            {text.edit.remove}
          </ConfirmButton>
        </div>
      </header>
      {theirs && (
        <Conflict
          differences={differences(theirs, draft, nameOf)}
          onKeepMine={() => overwrite('PATCH', body, leaveFor(page))}
          onTakeTheirs={() => {
            takeTheirs();
            setDraft(draftOf(theirs));
          }}
        />
      )}
      {fieldFault(error, 'name') === undefined && <Trouble error={error} />}
      <Settings draft={draft} error={error} onChange={change} />
      <Reorder
        entries={draft.tiles}
        keyOf={({ saved_report = 'words' }, index) => `${saved_report} ${index}`}
        nameOf={nameOf}
        onMove={(from, to) => change({ tiles: moved(draft.tiles, from, to) })}
      >
        {(tile, index) => (
          <TileForm
            tile={tile}
            name={nameOf(tile)}
            unit={unitOf(
              definitions,
              stateOf(reports.find(({ id }) => id === tile.saved_report)?.request ?? {}).fields[0] ?? '',
            )}
            index={index}
            onChange={(part) => setTile(index, part)}
            onRemove={() => change({ tiles: draft.tiles.filter((_, other) => other !== index) })}
          />
        )}
      </Reorder>
      <AddTile reports={reports} onAdd={(tile) => change({ tiles: [...draft.tiles, tile] })} />
      <Preview id={board.id} draft={draft} reports={reports} />
    </div>
  );
}

interface PreviewProps {
  readonly id: number;
  readonly draft: Draft;
  readonly reports: readonly SavedReport[];
}

/** The board as it will be once it is saved. */
function Preview({ id, draft: { name, tiles, scope }, reports }: PreviewProps): JSX.Element | null {
  const { definitions } = useApp();
  const shown = shownTiles(tiles, new Map(reports.map((report) => [report.id, report])), scope);
  const plan = planBoard(numberedTiles(shown), definitions);
  const answers = useBoard(`draft of board ${id}`, plan);
  if (tiles.length === 0) return null;
  return (
    <section class="preview" aria-label={boardText.tiles.preview}>
      <h2>{boardText.tiles.preview}</h2>
      <BoardView
        name={name}
        scope={scope}
        tiles={shown}
        plan={plan}
        board={answers}
        extra={extra}
        onFilter={undefined}
      />
    </section>
  );
}

const differences = (theirs: Board, mine: Draft, nameOf: (tile: BoardTile) => string): Difference[] => {
  const listed = ({ tiles }: Pick<Draft, 'tiles'>): string => text.listAnd(tiles.map(nameOf));
  return [
    { label: topicText.name, theirs: theirs.name, mine: mine.name },
    { label: text.boards.tileList, theirs: listed(theirs), mine: listed(mine) },
  ];
};

function bodyOf({ name, tiles, scope: { period, zone, filters } }: Draft, siteZone = 'UTC') {
  const time = period && { ...spanOf(period, zone ?? siteZone), ...(zone !== null && { time_zone: zone }) };
  return { name, tiles, time, filters: filters.length === 0 ? null : filters.map((group) => group.map(toCondition)) };
}

interface SettingsProps {
  readonly draft: Draft;
  readonly error: unknown;
  readonly onChange: (part: Partial<Draft>) => void;
}

const FOUR_WEEKS = { kind: 'last', count: 4, unit: 'week', current: false } as const;

/** The name of a board, its period and its filters. */
const Settings = ({ draft, error, onChange: change }: SettingsProps): JSX.Element => (
  <section class="card editor" aria-label={text.boards.settings}>
    <TextField
      label={topicText.name}
      name="name"
      error={error}
      value={draft.name}
      onInput={(name) => change({ name })}
    />
    <ScopeBar scope={draft.scope} onChange={(part) => change({ scope: { ...draft.scope, ...part } })} />
    <Check
      label={text.boards.ownPeriods}
      checked={draft.scope.period === null}
      onChange={(checked) => change({ scope: { ...draft.scope, period: checked ? null : FOUR_WEEKS } })}
    />
  </section>
);
