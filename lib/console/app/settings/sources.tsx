import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { NOTHING } from '../../model/format.ts';
import { settingsText } from '../../model/text/settings-text.ts';
import { text } from '../../model/text/text.ts';
import { useQueued } from '../ask.ts';
import { useAttempts } from '../attempt.ts';
import { useApp, useSiteClock } from '../context.tsx';
import { allOf, type Page } from '../edit/resource.ts';
import { href } from '../location.ts';
import { Trouble } from '../trouble.tsx';
import { ConfirmButton } from '../ui/dialog.tsx';
import { ListTable } from '../ui/list-table.tsx';
import { Empty, Skeleton } from '../ui/ui.tsx';

/** A source as the API shows it. */
interface Source {
  readonly name: string | null; // null: events that came without one
  readonly kind: string;
  readonly removing: boolean;
  readonly cases: number | null; // null: too many to be counted
  readonly events: number | null;
  readonly first_event: string | null;
  readonly last_event: string | null;
  readonly last_import: string | null;
}

const words = settingsText.sources;

const LOOK_EVERY = 3_000; // ms between two looks at a removal that goes on

/** From where the history of the site came, and what each source brought. */
export function Sources(): JSX.Element {
  const { api, say, queue, refresh } = useApp();
  const { error: refused, attempt } = useAttempts();
  const [asked, setAsked] = useState<readonly string[]>([]); // sources whose removal was begun here
  const { data, error, busy, again } = useQueued({
    slot: 'sources',
    key: 'sources',
    isFirst: true,
    send: async (signal) => (await api.ask<Page<Source>>(allOf('/api/v2/sources'), { signal })).data,
  });
  const sources = data?._embedded.entries.map((source) => ({
    ...source,
    removing: source.removing || asked.includes(asImported(source)),
  }));
  const isGoing = sources?.some(({ removing }) => removing) ?? false;
  useEffect(() => {
    if (!isGoing || busy) return undefined;
    const timer = setTimeout(() => {
      queue.forget(); // reports change with it
      again();
    }, LOOK_EVERY);
    return () => clearTimeout(timer);
  }, [isGoing, busy]);
  const wasGoing = useRef(false);
  useEffect(() => {
    if (wasGoing.current && !isGoing) refresh(); // what the history tells changes with it, too
    wasGoing.current = isGoing;
  }, [isGoing]);
  const remove = (source: Source): Promise<void> =>
    attempt(async () => {
      await api.ask(`/api/v2/sources/${encodeURIComponent(source.name ?? '')}`, { method: 'DELETE' });
      setAsked([...asked, asImported(source)]);
      say(words.begun(source.name ?? ''));
    });
  return (
    <>
      <h2>{settingsText.parts.sources}</h2>
      <Trouble error={error ?? refused} onAgain={again} />
      {sources === undefined && error === undefined && <Skeleton tall />}
      {sources?.length === 0 && (
        <Empty title={words.empty} hint={words.emptyHint}>
          <a href={href('/import')}>{text.overview.bring}</a>
        </Empty>
      )}
      {sources && sources.length > 0 && <SourceTable sources={sources} onRemove={remove} />}
    </>
  );
}

/** Tells a source from one of that name that is imported later, which a removal spares. */
const asImported = ({ name, last_import }: Source): string => `${name} ${last_import}`;

interface TableProps {
  readonly sources: readonly Source[];
  readonly onRemove: (source: Source) => Promise<void>;
}

function SourceTable({ sources, onRemove }: TableProps): JSX.Element {
  const { format } = useApp();
  const clock = useSiteClock();
  const count = (value: number | null): string => (value === null ? NOTHING : format.count(value));
  const day = (moment: string | null): string => (moment === null ? NOTHING : format.date(clock(moment)));
  return (
    <>
      <ListTable
        label={settingsText.parts.sources}
        entries={sources}
        keyOf={({ name }) => name ?? ''}
        columns={[
          [settingsText.name, ({ name }) => name ?? words.none],
          [settingsText.kind, ({ removing, kind }) => (removing ? words.removing : words.kinds[kind])],
          [words.cases, ({ cases }) => count(cases), 'number'],
          [words.events, ({ events }) => count(events), 'number'],
          [words.first, ({ first_event }) => day(first_event)],
          [words.last, ({ last_event }) => day(last_event)],
          [words.imported, ({ last_import }) => day(last_import)],
        ]}
        actions={(source) =>
          source.name !== null && (
            <ConfirmButton
              kind="quiet"
              label={`${words.remove}: ${source.name}`}
              question={questionOf(source, count)}
              yes={words.remove}
              onYes={() => void onRemove(source)}
            >
              {words.remove}
            </ConfirmButton>
          )
        }
      />
      {sources.some(({ name }) => name === null) && <p class="quiet">{words.noneHint}</p>}
      {sources.some(({ cases }) => cases === null) && <p class="quiet">{words.tooMany}</p>}
      <p class="quiet">
        {words.back} <a href={href('/import')}>{text.importing.title}</a>
      </p>
    </>
  );
}

const questionOf = ({ name, cases, events }: Source, count: (value: number | null) => string): string =>
  cases === null ? words.confirmAll(name ?? '') : words.confirm(name ?? '', count(cases), count(events));
