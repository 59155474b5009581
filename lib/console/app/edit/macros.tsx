import type { JSX } from 'preact';
import { macroText } from '../../model/text/macro-text.ts';
import { text } from '../../model/text/text.ts';
import { topicText } from '../../model/text/topic-text.ts';
import { go, href } from '../location.ts';
import { ThingContent } from '../thing.tsx';
import { Trouble } from '../trouble.tsx';
import { Reorder } from '../ui/reorder.tsx';
import { Empty, Skeleton } from '../ui/ui.tsx';
import type { Macro } from './macro.tsx';
import { NewThing } from './new-thing.tsx';
import { useOrder } from './order.ts';
import { allOf, type Page, useResource } from './resource.ts';

const PATH = '/api/v2/macros';

/** The page with the macros by position. */
export function MacrosList(): JSX.Element {
  const list = useResource<Page<Macro>>(allOf(PATH));
  const { entries: macros, move, error } = useOrder(PATH, list);
  return (
    <div class="page">
      <header class="page-head">
        <h1>{text.macros.title}</h1>
        <NewThing path={PATH} title={macroText.new} onMade={({ id }) => go(href(`/macros/${id}`))} />
      </header>
      <Trouble error={error} onAgain={list.reload} />
      {macros === undefined && error === undefined && <Skeleton tall />}
      {macros?.length === 0 && <Empty title={macroText.empty} hint={macroText.emptyHint} />}
      <Reorder entries={macros ?? []} keyOf={(each) => each.id} nameOf={(each) => each.name} onMove={move}>
        {({ id, name, description, enabled, folders }, index) => (
          <ThingContent
            mark={index + 1}
            about={topicText.position}
            target={href(`/macros/${id}`)}
            name={name}
            description={description}
          >
            <p class="tags">
              {!enabled && <span class="tag missing">{macroText.disabled}</span>}
              {folders.map((folder) => (
                <span key={folder} class="tag" dir="auto">
                  {folder}
                </span>
              ))}
            </p>
          </ThingContent>
        )}
      </Reorder>
    </div>
  );
}
