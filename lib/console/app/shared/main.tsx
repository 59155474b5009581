import { type JSX, render } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { ownJson } from '../../../own-json.ts';
import type { SharedBoard } from '../../model/board/shared-board.ts';
import { createFormat } from '../../model/format.ts';
import { createNames } from '../../model/names.ts';
import { boardText } from '../../model/text/board-text.ts';
import { PREFIX } from '../api.ts';
import { AppProvider } from '../context.tsx';
import { Empty, Skeleton } from '../ui/ui.tsx';
import { SharedView } from './view.tsx';

const EVERY = 5 * 60_000; // ms between two looks for newer numbers
const AGAIN = 10_000; // ms after which a failed look is repeated

const format = createFormat();

type Shown = SharedBoard | 'nothing' | 'trouble' | undefined;

/** Asks for the numbers behind a link; `nothing` for a key that opens none. */
async function look(key: string): Promise<Shown> {
  if (!/^[\w-]+$/.test(key)) return 'nothing';
  const reply = await fetch(`${PREFIX}/api/v2/shared_boards/${key}`, { credentials: 'omit' }).catch(() => undefined);
  if (reply?.status === 404) return 'nothing';
  return reply?.ok ? ownJson<SharedBoard>(await reply.text()) : 'trouble';
}

/** The page that a link opens. The key is in the fragment, which is sent to no server. */
function Shared(): JSX.Element {
  const [key, setKey] = useState(location.hash.slice(1));
  const [shown, setShown] = useState<Shown>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    const listen = (): void => setKey(location.hash.slice(1));
    addEventListener('hashchange', listen);
    return () => removeEventListener('hashchange', listen);
  }, []);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let current = true;
    look(key).then((next) => {
      if (!current) return;
      setShown((before) => (next === 'trouble' && typeof before === 'object' ? before : next));
      if (next !== 'nothing') timer = setTimeout(() => setRound(round + 1), next === 'trouble' ? AGAIN : EVERY);
    });
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [key, round]);
  useEffect(() => {
    if (typeof shown === 'object') document.title = shown.name;
  }, [shown]);
  const words = boardText.shared;
  if (shown === undefined) return <Skeleton tall />;
  if (shown === 'nothing') return <Empty title={words.nothing} hint={words.nothingHint} />;
  if (shown === 'trouble') return <Empty title={words.trouble} hint="" />;
  return <Numbers board={shown} />;
}

function Numbers({ board }: { readonly board: SharedBoard }): JSX.Element {
  const { definitions, names: meta } = board;
  const names = useMemo(() => createNames(definitions, meta, format), [board]);
  return (
    <AppProvider value={{ definitions, format, names }}>
      <SharedView board={board} />
    </AppProvider>
  );
}

const root = document.getElementById('app');
if (root) {
  root.replaceChildren();
  render(
    <main id="page" class="wall">
      <Shared />
    </main>,
    root,
  );
}
