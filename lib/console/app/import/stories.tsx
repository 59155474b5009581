import type { JSX } from 'preact';
import type { SayWrong } from '../../model/doubts.ts';
import type { CaseStory } from '../../model/file-import.ts';
import { importText } from '../../model/text/import-text.ts';
import { localIn } from '../../model/zone.ts';
import { useApp } from '../context.tsx';
import { href } from '../location.ts';
import { Button } from '../ui/ui.tsx';

interface StoriesProps {
  readonly stories: readonly CaseStory[];
  readonly isStored: boolean; // the cases can be looked at
  readonly onWrong: SayWrong | undefined; // undefined: nothing can be corrected
}

/** The first cases in words, to be compared with the help desk. What is wrong leads to the question that decided it. */
export function Stories({ stories, isStored, onWrong }: StoriesProps): JSX.Element {
  const { format, definitions } = useApp();
  const zone = definitions?.site.time_zone ?? 'UTC';
  return (
    <section class="card">
      <h2>{importText.story}</h2>
      <p class="quiet small">{importText.compare(zone)}</p>
      <div class="story" role="region" aria-label={importText.story} tabIndex={0}>
        {stories.map(({ case: key, events }) => (
          <section key={key}>
            <h3 dir="auto">
              {isStored ? (
                <a href={href(`/cases/${encodeURIComponent(key)}`)}>{importText.caseOf(key)}</a>
              ) : (
                importText.caseOf(key)
              )}
            </h3>
            <ol>
              {events.map((event, index) => (
                <li key={index}>
                  <time dateTime={event.at} class="quiet">
                    {format.moment(localIn(zone, event.at))}
                  </time>{' '}
                  <span dir="auto">{event.what}</span>{' '}
                  {onWrong && (
                    <Button
                      kind="quiet"
                      label={importText.wrongEvent(key, event.what)}
                      onClick={() => onWrong({ event })}
                    >
                      {importText.wrong}
                    </Button>
                  )}
                </li>
              ))}
            </ol>
          </section>
        ))}
      </div>
    </section>
  );
}
