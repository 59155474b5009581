import type { JSX } from 'preact';
import { text } from '../../model/text/text.ts';
import { topicText } from '../../model/text/topic-text.ts';
import { go, href } from '../location.ts';
import { Check } from '../ui/fields.tsx';
import { Editor } from './editor.tsx';
import { formKind } from './form.ts';
import { type Described, NameFields } from './name-fields.tsx';
import { useResource } from './resource.ts';
import type { Topic, Translation } from './topic-shape.ts';
import { type TranslationForm, Translations } from './translations.tsx';

type TopicFields = Pick<Topic, 'name' | 'description' | 'allow_questions' | 'in_support_center'>;

const TOPIC = formKind<TopicFields>({
  name: topicText.name,
  description: topicText.description,
  allow_questions: topicText.questions,
  in_support_center: topicText.supportCenter,
});

/** The page of one topic: its own fields, and its translations. */
export function TopicPage({ id }: { readonly id: string }): JSX.Element {
  const path = `/api/v2/topics/${encodeURIComponent(id)}`;
  const resource = useResource<Topic>(path);
  const name = resource.data?.name ?? '';
  return (
    <div class="page narrow">
      <a href={href('/topics')}>{text.edit.back}</a>
      <h1 dir="auto">{name || text.topics.title}</h1>
      <Editor path={path} resource={resource} kind={TOPIC} label={name} onRemoved={() => go(href('/topics'))}>
        {(form) => (
          <>
            <NameFields form={form} />
            <Check {...form.check('allow_questions')} />
            <Check {...form.check('in_support_center')} />
          </>
        )}
      </Editor>
      {resource.error === undefined && <Translations path={path} form={FORM} />}
    </div>
  );
}

const FORM: TranslationForm<Translation, Described> = {
  kind: formKind<Described>({ name: topicText.name, description: topicText.description }),
  nothing: { name: '', description: null },
  isComplete: ({ name }) => name !== '',
  inputs: (form) => <NameFields form={form} />,
};
