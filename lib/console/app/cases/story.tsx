import type { JSX } from 'preact';
import { entryUnit } from '../../model/fields.ts';
import { deletedSince, type StoryEvent, tell } from '../../model/story.ts';
import { caseText } from '../../model/text/case-text.ts';
import { storyText } from '../../model/text/story-text.ts';
import { useQueued } from '../ask.ts';
import { useApp } from '../context.tsx';
import { go, href } from '../location.ts';
import { Trouble } from '../trouble.tsx';
import { Notice, Skeleton } from '../ui/ui.tsx';
import { HelpDeskLink } from './help-desk-link.tsx';

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
        <button type="button" class="button" onClick={() => (history.length > 1 ? history.back() : go(href('/cases')))}>
          {storyText.back}
        </button>
      </p>
      <header class="page-head">
        <h1>{storyText.title(id)}</h1>
        <HelpDeskLink id={id}>{storyText.inHelpDesk}</HelpDeskLink>
      </header>
      <Trouble error={asked.error} onAgain={asked.again} />
      {asked.data ? <Told story={asked.data} /> : asked.error === undefined && <Skeleton tall />}
    </div>
  );
}

function Told({ story: { events, facts } }: { readonly story: Story }): JSX.Element {
  const { format, names } = useApp();
  const deleted = deletedSince(events);
  return (
    <>
      {deleted !== undefined && <Notice>{storyText.isDeleted(format.moment(deleted))}</Notice>}
      <div class="cards">
        <section class="card wide">
          <h2>{storyText.events}</h2>
          <ol class="timeline">
            {events.map((event) => {
              const { what, details } = tell(event, names, format.moment);
              return (
                <li key={event.id}>
                  <time dateTime={event.at} class="quiet small">
                    {format.moment(event.at)}
                  </time>
                  <strong dir="auto">{what}</strong>
                  <span class="quiet" dir="auto">
                    {details.join(' · ')}
                  </span>
                </li>
              );
            })}
          </ol>
        </section>
        <section class="card wide">
          <h2>{storyText.facts}</h2>
          <p class="quiet">{storyText.factsHint}</p>
          {facts.length === 0 ? <p class="quiet">{storyText.nothing}</p> : <Facts facts={facts} />}
        </section>
      </div>
    </>
  );
}

function Facts({ facts }: { readonly facts: readonly StoryFact[] }): JSX.Element {
  const { format, names, definitions } = useApp();
  const unit = (field: string): string => entryUnit(definitions, field);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={storyText.facts}>
      <table class="report">
        <thead>
          <tr>
            <th scope="col">{storyText.field}</th>
            <th scope="col">{storyText.at}</th>
            <th scope="col">{storyText.who}</th>
            <th scope="col" class="number">
              {storyText.value}
            </th>
          </tr>
        </thead>
        <tbody>
          {facts.map(({ field, at, agent, value, counted }, index) => (
            <tr key={`${index} ${field}`} class={counted ? '' : 'aside'}>
              <th scope="row">{names.field(field)}</th>
              <td>{format.moment(at)}</td>
              <td dir="auto">{names.of('action_agent', agent)}</td>
              <td class="number" title={counted ? format.exact(value, unit(field)) : caseText.notCounted}>
                {format.value(value, unit(field))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
