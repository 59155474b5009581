import type { JSX } from 'preact';
import { NOTHING } from '../../model/format.ts';
import { text } from '../../model/text.ts';
import { useQueued } from '../ask.ts';
import { useApp } from '../context.tsx';
import { allOf, type Page } from '../edit/resource.ts';
import { href } from '../location.ts';
import { ScrollBox } from '../scroll-box.tsx';
import { Trouble } from '../trouble.tsx';
import { Empty, Skeleton } from '../ui.tsx';

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

const words = text.settings.sources;

/** From where the history of the site came, and what each source brought. */
export function Sources(): JSX.Element {
  const { api } = useApp();
  const { data, error, again } = useQueued({
    ...{ slot: 'sources', key: 'sources', isFirst: true },
    send: async (signal) => (await api.ask<Page<Source>>(allOf('/api/v2/sources'), { signal })).data,
  });
  const sources = data?._embedded.entries;
  return (
    <>
      <h2>{text.settings.parts.sources}</h2>
      <Trouble error={error} onAgain={again} />
      {sources === undefined && error === undefined && <Skeleton tall />}
      {sources?.length === 0 && (
        <Empty title={words.empty} hint={words.emptyHint}>
          <a href={href('/import')}>{text.overview.bring}</a>
        </Empty>
      )}
      {sources && sources.length > 0 && <SourceTable sources={sources} />}
    </>
  );
}

function SourceTable({ sources }: { readonly sources: readonly Source[] }): JSX.Element {
  const { format } = useApp();
  const count = (value: number | null): string => (value === null ? NOTHING : format.count(value));
  const day = (moment: string | null): string => (moment === null ? NOTHING : format.date(moment));
  return (
    <>
      <ScrollBox label={text.settings.parts.sources} kind="card">
        <table class="report">
          <thead>
            <tr>
              <th scope="col">{text.settings.name}</th>
              <th scope="col">{text.settings.kind}</th>
              <th scope="col" class="number">
                {words.cases}
              </th>
              <th scope="col" class="number">
                {words.events}
              </th>
              <th scope="col">{words.first}</th>
              <th scope="col">{words.last}</th>
              <th scope="col">{words.imported}</th>
            </tr>
          </thead>
          <tbody>
            {sources.map(({ name, kind, removing, cases, events, first_event, last_event, last_import }) => (
              <tr key={name}>
                <th scope="row" dir="auto">
                  {name ?? words.none}
                </th>
                <td>{removing ? words.removing : words.kinds[kind]}</td>
                <td class="number">{count(cases)}</td>
                <td class="number">{count(events)}</td>
                <td>{day(first_event)}</td>
                <td>{day(last_event)}</td>
                <td>{day(last_import)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {sources.some(({ cases }) => cases === null) && <p class="quiet">{words.tooMany}</p>}
      <p class="quiet">
        {words.back} <a href={href('/import')}>{text.nav.import}</a>
      </p>
    </>
  );
}
