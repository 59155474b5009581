import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { byPosition, typedTarget } from '../../model/settings/promise.ts';
import { settingsText } from '../../model/text/settings-text.ts';
import { useApp } from '../context.tsx';
import { NewThing } from '../edit/new-thing.tsx';
import { useOrder } from '../edit/order.ts';
import { allOf, type Page, useResource } from '../edit/resource.ts';
import { go, href } from '../location.ts';
import { ThingContent } from '../thing.tsx';
import { Trouble } from '../trouble.tsx';
import { Reorder } from '../ui/reorder.tsx';
import { Empty, Skeleton } from '../ui/ui.tsx';
import { PromiseEditor } from './promise-editor.tsx';
import { NeedsHours, type Policy, targetText, whomText } from './promise-words.tsx';

const PATH = '/api/v2/sla_policies';
const PAGE = '/settings/promises';
const words = settingsText.promises;

/** What is promised to which cases: all promises in the order in which they apply, or one of them. */
export const Promises = ({ id }: { readonly id: string | undefined }): JSX.Element =>
  id === undefined ? (
    <PromiseList />
  ) : (
    <PromiseEditor key={id} path={`${PATH}/${id}`} onRemoved={() => go(href(PAGE))} back={href(PAGE)} />
  );

function PromiseList(): JSX.Element {
  const { names, mayAdminister } = useApp();
  const read = useResource<Page<Policy>>(allOf(PATH));
  const data = useMemo(
    () => read.data && { ...read.data, _embedded: { entries: byPosition(read.data._embedded.entries) } },
    [read.data],
  );
  const { entries: policies, move, error } = useOrder(PATH, { ...read, data });
  return (
    <>
      <header class="page-head">
        <h2>{settingsText.parts.promises}</h2>
        <NewThing
          path={PATH}
          title={words.new}
          read={() => ({ targets: [] })}
          isAllowed={mayAdminister}
          onMade={({ id }) => go(href(`${PAGE}/${id}`))}
        />
      </header>
      <Trouble error={error} onAgain={read.reload} />
      {policies === undefined && error === undefined && <Skeleton tall />}
      {policies?.length === 0 && <Empty title={words.empty} hint={words.emptyHint} />}
      {policies && policies.length > 0 && <p class="quiet">{words.about}</p>}
      <NeedsHours targets={policies?.flatMap(({ targets }) => targets) ?? []} />
      <Reorder entries={policies ?? []} keyOf={(each) => each.id} nameOf={(each) => each.name} onMove={move}>
        {({ id, name, filters, targets }, index) => (
          <ThingContent
            mark={index + 1}
            about={words.place}
            target={href(`${PAGE}/${id}`)}
            name={name}
            description={whomText(names, filters)}
          >
            {targets.length === 0 && <p>{words.noTargets}</p>}
            <ul class="plain">
              {targets.map((target, nth) => (
                <li key={nth}>{targetText(typedTarget(target))}</li>
              ))}
            </ul>
          </ThingContent>
        )}
      </Reorder>
    </>
  );
}
