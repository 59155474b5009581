import type { JSX } from 'preact';
import { unitOf } from '../../model/fields.ts';
import { fieldLabel, text, words } from '../../model/text.ts';
import { useQueued } from '../ask.ts';
import { useApp } from '../context.tsx';
import { Trouble } from '../trouble.tsx';
import { Skeleton } from '../ui.tsx';

interface StoryEvent {
  readonly type: string; // case.created, …
  readonly id: string;
  readonly at: string;
  readonly names: Readonly<Record<string, string | readonly string[]>>;
}

interface StoryFact {
  readonly field: string;
  readonly at: string;
  readonly agent: number | null;
  readonly value: number;
  readonly counted: boolean;
}

interface Story {
  readonly events: readonly StoryEvent[];
  readonly facts: readonly StoryFact[];
}

/** The page with the events of a case and what reports count of it, to explain why a case counts. */
export function StoryPage({ id }: { readonly id: string }): JSX.Element {
  const { api } = useApp();
  const path = `/api/v2/insights3/cases/${encodeURIComponent(id)}`;
  const send = async (signal: AbortSignal): Promise<Story> => (await api.ask<Story>(path, { signal })).data;
  const asked = useQueued({ slot: 'story', key: path, send });
  return (
    <div class="page">
      <p>
        <button type="button" class="button" onClick={() => history.back()}>
          {text.story.back}
        </button>
      </p>
      <h1>{text.story.title(id)}</h1>
      <Trouble error={asked.error} onAgain={asked.again} />
      {asked.data ? <Told story={asked.data} /> : asked.error === undefined && <Skeleton tall />}
    </div>
  );
}

function Told({ story: { events, facts } }: { readonly story: Story }): JSX.Element {
  const { format } = useApp();
  return (
    <div class="cards">
      <section class="card wide">
        <h2>{text.story.events}</h2>
        <ol class="timeline">
          {events.map((event) => (
            <li key={event.id}>
              <time dateTime={event.at} class="quiet small">
                {format.moment(event.at)}
              </time>
              <strong>{words(event.type.replace('.', ' '))}</strong>
              <span class="quiet" dir="auto">
                {describe(event, format.moment)}
              </span>
            </li>
          ))}
        </ol>
      </section>
      <section class="card wide">
        <h2>{text.story.facts}</h2>
        <p class="quiet">{text.story.factsHint}</p>
        {facts.length === 0 ? <p class="quiet">{text.story.nothing}</p> : <Facts facts={facts} />}
      </section>
    </div>
  );
}

/** Describes the details of an event: names if it has them, otherwise plain values. `moment` formats times. */
function describe(event: StoryEvent, moment: (at: string) => string): string {
  const excluded = new Set(['type', 'id', 'at', 'names', 'case']);
  const shown = (value: unknown): unknown =>
    event.type === 'case.handled' && typeof value === 'string' ? moment(value) : value;
  return Object.entries({ ...event })
    .filter(([name, value]) => !excluded.has(name) && value !== null && typeof value !== 'object')
    .map(([name, value]) => `${words(name)}: ${[event.names[name] ?? shown(value)].flat().join(', ')}`)
    .concat(
      Object.entries(event.names).flatMap(([name, value]) =>
        name in event && typeof value === 'string' ? [] : [`${words(name)}: ${[value].flat().join(', ')}`],
      ),
    )
    .join(' · ');
}

function Facts({ facts }: { readonly facts: readonly StoryFact[] }): JSX.Element {
  const { format, names, definitions } = useApp();
  const unit = (field: string): string => (unitOf(definitions, field) === 'seconds' ? 'seconds' : '');
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={text.story.facts}>
      <table class="report">
        <thead>
          <tr>
            <th scope="col">{text.story.field}</th>
            <th scope="col">{text.story.at}</th>
            <th scope="col">{text.story.who}</th>
            <th scope="col" class="number">
              {text.story.value}
            </th>
          </tr>
        </thead>
        <tbody>
          {facts.map(({ field, at, agent, value, counted }, index) => (
            <tr key={`${index} ${field}`} class={counted ? '' : 'aside'}>
              <th scope="row">{fieldLabel(field)}</th>
              <td>{format.moment(at)}</td>
              <td dir="auto">{names.of('action_agent', agent)}</td>
              <td class="number" title={counted ? format.exact(value, unit(field)) : text.cases.notCounted}>
                {format.value(value, unit(field))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
