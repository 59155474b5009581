import type { JSX } from 'preact';
import { text } from '../../model/text.ts';
import { Check, TextArea } from '../fields.tsx';
import { go, href } from '../location.ts';
import { Reorder } from '../reorder.tsx';
import { ThingContent } from '../thing.tsx';
import { Trouble } from '../trouble.tsx';
import { Empty, Skeleton } from '../ui.tsx';
import { MacroActions } from './actions.tsx';
import { Editor } from './editor.tsx';
import { formKind } from './form.ts';
import { NewThing } from './new-thing.tsx';
import { useOrder } from './order.ts';
import { allOf, type Page, useResource } from './resource.ts';
import { NameFields } from './topic.tsx';

const PATH = '/api/v2/macros';

interface Macro {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly enabled: boolean;
  readonly folders: readonly string[];
}

const MACRO = formKind<Pick<Macro, 'name' | 'description' | 'enabled' | 'folders'>>({
  name: text.topics.name,
  description: text.topics.description,
  enabled: text.macros.enabled,
  folders: text.macros.folders,
});

/** The page with the macros by position, or with one macro. */
export function MacrosPage({ id }: { readonly id: string | undefined }): JSX.Element {
  const list = useResource<Page<Macro>>(allOf(PATH));
  const { entries: macros, move, error } = useOrder(PATH, list);
  if (id !== undefined) return <MacroPage key={id} id={id} onChange={list.reload} />;
  return (
    <div class="page">
      <header class="page-head">
        <h1>{text.macros.title}</h1>
        <NewThing
          path={PATH}
          title={text.macros.new}
          onMade={({ id: made }) => go(href(`/macros/${made}`))}
          onChange={list.reload}
        />
      </header>
      <Trouble error={error} onAgain={list.reload} />
      {macros === undefined && error === undefined && <Skeleton tall />}
      {macros?.length === 0 && <Empty title={text.macros.empty} hint={text.macros.emptyHint} />}
      <Reorder entries={macros ?? []} keyOf={(each) => each.id} nameOf={(each) => each.name} onMove={move}>
        {({ id: each, name, description, enabled, folders }, index) => (
          <ThingContent
            mark={index + 1}
            about={text.topics.position}
            target={href(`/macros/${each}`)}
            name={name}
            description={description}
          >
            <p class="tags">
              {!enabled && <span class="tag missing">{text.macros.disabled}</span>}
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

interface MacroPageProps {
  readonly id: string;
  readonly onChange: () => void;
}

function MacroPage({ id, onChange }: MacroPageProps): JSX.Element {
  const path = `${PATH}/${id}`;
  const resource = useResource<Macro>(path);
  const name = resource.data?.name ?? '';
  return (
    <div class="page narrow">
      <a href={href('/macros')}>{text.edit.back}</a>
      <h1 dir="auto">{name || text.macros.title}</h1>
      <Editor
        path={path}
        resource={resource}
        kind={MACRO}
        label={name}
        onSaved={onChange}
        onRemoved={() => {
          onChange();
          go(href('/macros'));
        }}
      >
        {(form) => (
          <>
            <NameFields form={form} />
            <TextArea
              label={text.macros.folders}
              hint={text.macros.foldersHint}
              value={form.fields.folders.join('\n')}
              onInput={(typed) => form.change({ folders: typed.split('\n').filter((line) => line.trim() !== '') })}
              input={{ rows: 2 }}
            />
            <Check {...form.check('enabled')} />
          </>
        )}
      </Editor>
      {resource.data && <MacroActions path={`${path}/actions`} />}
    </div>
  );
}
