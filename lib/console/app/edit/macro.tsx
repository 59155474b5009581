import type { JSX } from 'preact';
import { macroText } from '../../model/text/macro-text.ts';
import { text } from '../../model/text/text.ts';
import { topicText } from '../../model/text/topic-text.ts';
import { go, href } from '../location.ts';
import { Check, TextArea, Typed } from '../ui/fields.tsx';
import { MacroActions } from './actions.tsx';
import { Editor } from './editor.tsx';
import { formKind } from './form.ts';
import { NameFields } from './name-fields.tsx';
import { useResource } from './resource.ts';

/** A macro as the API shows it. */
export interface Macro {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly enabled: boolean;
  readonly folders: readonly string[];
}

const MACRO = formKind<Pick<Macro, 'name' | 'description' | 'enabled' | 'folders'>>({
  name: topicText.name,
  description: topicText.description,
  enabled: macroText.enabled,
  folders: macroText.folders,
});

/** The page of one macro: its own fields, and its actions. */
export function MacroPage({ id }: { readonly id: string }): JSX.Element {
  const path = `/api/v2/macros/${encodeURIComponent(id)}`;
  const resource = useResource<Macro>(path);
  const name = resource.data?.name ?? '';
  return (
    <div class="page narrow">
      <a href={href('/macros')}>{text.edit.back}</a>
      <h1 dir="auto">{name || text.macros.title}</h1>
      <Editor path={path} resource={resource} kind={MACRO} label={name} onRemoved={() => go(href('/macros'))}>
        {(form) => (
          <>
            <NameFields form={form} />
            <Typed
              value={form.fields.folders}
              read={(typed) => typed.split('\n').filter((line) => line.trim() !== '')}
              write={(folders) => folders.join('\n')}
              onChange={(folders) => form.change({ folders })}
            >
              {(typed) => (
                <TextArea label={macroText.folders} hint={macroText.foldersHint} {...typed} input={{ rows: 2 }} />
              )}
            </Typed>
            <Check {...form.check('enabled')} />
          </>
        )}
      </Editor>
      {resource.data && <MacroActions path={`${path}/actions`} />}
    </div>
  );
}
