import type { JSX } from 'preact';
import type { Board } from '../../model/board/board.ts';
import { savedText } from '../../model/text/saved-text.ts';
import { text } from '../../model/text/text.ts';
import { useAttempts } from '../attempt.ts';
import { useApp, useSiteClock } from '../context.tsx';
import { NewThing } from '../edit/new-thing.tsx';
import { allOf, type Page, useResource } from '../edit/resource.ts';
import { go, href } from '../location.ts';
import { Thing } from '../thing.tsx';
import { Trouble } from '../trouble.tsx';
import { Button, Skeleton } from '../ui/ui.tsx';
import { BOARDS, copyBoard, copyOverview } from './copy.ts';

/** The page with all boards; the overview, which ships, is the first. */
export function BoardsPage(): JSX.Element {
  const app = useApp();
  const clock = useSiteClock();
  const list = useResource<Page<Board>>(allOf(BOARDS));
  const { error, attempt } = useAttempts();
  const copy = (work: () => Promise<number>): Promise<void> =>
    attempt(async () => {
      const id = await work();
      app.say(text.boards.copied);
      go(href(`/boards/${id}`));
    });
  const copyButton = (name: string, work: () => Promise<number>): JSX.Element => (
    <p class="row">
      <Button kind="quiet" label={text.boards.copyOne(name)} onClick={() => copy(work)}>
        {text.boards.copy}
      </Button>
    </p>
  );
  return (
    <div class="page">
      <header class="page-head">
        <h1>{text.boards.title}</h1>
        <NewThing
          path={BOARDS}
          title={text.boards.new}
          isAllowed
          onMade={({ id }) => go(href(`/boards/${id}`, new URLSearchParams({ edit: '' })))}
        />
      </header>
      <Trouble error={list.error ?? error} onAgain={list.reload} />
      {list.data === undefined && list.error === undefined && <Skeleton tall />}
      <ul class="things">
        <Thing mark="▦" target={href('')} name={text.overview.title} description={text.boards.ships}>
          {copyButton(text.overview.title, () => copyOverview(app))}
        </Thing>
        {list.data?._embedded.entries.map((board) => (
          <Thing
            key={board.id}
            mark="▦"
            target={href(`/boards/${board.id}`)}
            name={board.name}
            description={`${text.boards.tiles(board.tiles.length)}, ${savedText.updated(app.format.date(clock(board.updated_at)))}`}
          >
            {copyButton(board.name, () => copyBoard(app, board))}
          </Thing>
        ))}
      </ul>
    </div>
  );
}
