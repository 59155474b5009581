import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Board } from '../../model/board/board.ts';
import { boardText } from '../../model/text/board-text.ts';
import { useAttempts } from '../attempt.ts';
import { useApp, useSiteClock } from '../context.tsx';
import { type Page, useResource } from '../edit/resource.ts';
import { Trouble } from '../trouble.tsx';
import { ConfirmButton, Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/fields.tsx';
import { ListTable } from '../ui/list-table.tsx';
import { Button, Skeleton } from '../ui/ui.tsx';
import { BOARDS } from './copy.ts';

interface BoardLink {
  readonly id: number;
  readonly name: string;
  readonly owner: string;
  readonly views: number;
  readonly expires_at: string;
  readonly ended: 'expired' | 'maker' | null;
  readonly url: string | null;
}

const words = boardText.links;

interface LinksProps {
  readonly board: Pick<Board, 'id' | 'name'>;
  readonly onClose: () => void;
}

/** The links to a board: made, copied once, listed and ended. */
export function Links({ board, onClose }: LinksProps): JSX.Element {
  const { api, say } = useApp();
  const path = `${BOARDS}/${board.id}/links`;
  const list = useResource<Page<BoardLink>>(path);
  const { error, attempt } = useAttempts();
  const [made, setMade] = useState<string | undefined>();
  const [name, setName] = useState('');
  const [days, setDays] = useState('30');
  const make = (): Promise<void> =>
    attempt(async () => {
      const body = { name, expires_in_days: Number(days) };
      const { data } = await api.ask<BoardLink>(path, { method: 'POST', body });
      setMade(data.url ?? undefined);
      setName('');
      list.reload();
    });
  const end = (link: BoardLink): Promise<void> =>
    attempt(async () => {
      await api.ask(`${path}/${link.id}`, { method: 'DELETE' });
      say(words.hasEnded(link.name));
      list.reload();
    });
  const entries = list.data?._embedded.entries;
  return (
    <Dialog title={words.title(board.name)} onClose={onClose} wide>
      <p>{words.about}</p>
      <Trouble error={list.error ?? error} onAgain={list.reload} />
      <form
        class="editor"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <TextField
          label={words.name}
          hint={words.nameHint}
          name="name"
          error={error}
          value={name}
          onInput={setName}
          input={{ required: true, maxLength: 255 }}
        />
        <TextField
          label={words.days}
          name="expires_in_days"
          error={error}
          value={days}
          onInput={setDays}
          input={{ required: true, type: 'number', min: 1, max: 366 }}
        />
        <p class="row">
          <button type="submit" class="button primary">
            {words.make}
          </button>
        </p>
      </form>
      {made !== undefined && <Made url={made} />}
      {entries === undefined && list.error === undefined && <Skeleton />}
      {entries?.length === 0 && <p class="quiet">{words.none}</p>}
      {entries !== undefined && entries.length > 0 && <LinkTable links={entries} onEnd={end} />}
      <p class="row end">
        <Button onClick={onClose}>{words.close}</Button>
      </p>
    </Dialog>
  );
}

/** The address of a new link, which nobody can show again. */
function Made({ url }: { readonly url: string }): JSX.Element {
  const { say } = useApp();
  const copy = (): void => {
    navigator.clipboard?.writeText(url).then(
      () => say(words.copied),
      () => undefined, // the text is there to be selected
    );
  };
  return (
    <div class="notice good" role="status">
      <p>{words.made}</p>
      <p class="row">
        <input
          class="input grow"
          readOnly
          aria-label={words.address}
          value={url}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button onClick={copy}>{words.copy}</Button>
      </p>
    </div>
  );
}

interface LinkTableProps {
  readonly links: readonly BoardLink[];
  readonly onEnd: (link: BoardLink) => Promise<void>;
}

function LinkTable({ links, onEnd }: LinkTableProps): JSX.Element {
  const { format } = useApp();
  const clock = useSiteClock();
  return (
    <ListTable
      label={words.list}
      entries={links}
      keyOf={({ id }) => id}
      columns={[
        [words.list, (link) => [link.name, <p class="quiet small">{words.by(link.owner)}</p>]],
        [words.views, ({ views }) => format.count(views), 'number'],
        [words.ends, (link) => (link.ended === null ? format.date(clock(link.expires_at)) : words.ended[link.ended])],
      ]}
      actions={(link) => (
        <ConfirmButton
          kind="quiet"
          label={words.endOne(link.name)}
          question={words.ask(link.name)}
          yes={words.end}
          onYes={() => onEnd(link)}
        >
          {words.end}
        </ConfirmButton>
      )}
    />
  );
}
