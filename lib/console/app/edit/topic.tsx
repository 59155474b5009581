import type { JSX } from 'preact';
import { text } from '../../model/text.ts';
import { Check, TextArea, TextField } from '../fields.tsx';
import { go, href } from '../location.ts';
import { Editor } from './editor.tsx';
import { type Form, formKind } from './form.ts';
import { useResource } from './resource.ts';
import type { Topic, Translation } from './topic-shape.ts';
import { type TranslationForm, Translations } from './translations.tsx';

type TopicFields = Pick<Topic, 'name' | 'description' | 'allow_questions' | 'in_support_center'>;

const TOPIC = formKind<TopicFields>({
  name: text.topics.name,
  description: text.topics.description,
  allow_questions: text.topics.questions,
  in_support_center: text.topics.supportCenter,
});

interface TopicPageProps {
  readonly topic: Topic;
  readonly known: readonly string[]; // the locales of all topics
  readonly onChange: () => void;
}

/** The page of one topic: its own fields, and its translations. */
export function TopicPage({ topic: { id }, known, onChange }: TopicPageProps): JSX.Element {
  const path = `/api/v2/topics/${id}`;
  const resource = useResource<Topic>(path);
  const name = resource.data?.name ?? '';
  return (
    <div class="page narrow">
      <a href={href('/topics')}>{text.edit.back}</a>
      <h1 dir="auto">{name || text.topics.title}</h1>
      <Editor
        path={path}
        resource={resource}
        kind={TOPIC}
        label={name}
        onSaved={onChange}
        onRemoved={() => {
          onChange();
          go(href('/topics'));
        }}
      >
        {(form) => (
          <>
            <NameFields form={form} />
            <Check {...form.check('allow_questions')} />
            <Check {...form.check('in_support_center')} />
          </>
        )}
      </Editor>
      <Translations path={path} known={known} form={FORM} onChange={onChange} />
    </div>
  );
}

type Names = Pick<Translation, 'name' | 'description'>;

/** Inputs for a name and a description, which follow the direction of the text. */
export const NameFields = ({ form }: { readonly form: Form<Names> }): JSX.Element => (
  <>
    <TextField {...form.text('name')} />
    <TextArea {...form.optional('description')} input={{ rows: 3 }} />
  </>
);

const FORM: TranslationForm<Translation, Names> = {
  kind: formKind<Names>({ name: text.topics.name, description: text.topics.description }),
  nothing: { name: '', description: null },
  isComplete: ({ name }) => name !== '',
  inputs: (form) => <NameFields form={form} />,
};
