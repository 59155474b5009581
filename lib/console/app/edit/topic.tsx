import type { JSX } from 'preact';
import { text } from '../../model/text.ts';
import { Check, TextArea, TextField } from '../fields.tsx';
import { go, href } from '../location.ts';
import { Editor } from './editor.tsx';
import { useResource } from './resource.ts';
import type { Topic, Translation } from './topic-shape.ts';
import { type TranslationForm, Translations } from './translations.tsx';

interface TopicFields {
  readonly name: string;
  readonly description: string | null;
  readonly allow_questions: boolean;
  readonly in_support_center: boolean;
}

const readTopic = ({ name, description, allow_questions, in_support_center }: Topic): TopicFields => ({
  name,
  description,
  allow_questions,
  in_support_center,
});

const showTopic = ({ name, description, allow_questions, in_support_center }: TopicFields) => ({
  [text.topics.name]: name,
  [text.topics.description]: description ?? '',
  [text.topics.questions]: text.yesNo[Number(allow_questions)] ?? '',
  [text.topics.supportCenter]: text.yesNo[Number(in_support_center)] ?? '',
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
      <Editor<Topic, TopicFields>
        path={path}
        resource={resource}
        read={readTopic}
        show={showTopic}
        label={name}
        onRemoved={() => {
          onChange();
          go(href('/topics'));
        }}
      >
        {(fields, change, error) => (
          <>
            <NameFields {...fields} error={error} onChange={change} />
            <Check
              label={text.topics.questions}
              checked={fields.allow_questions}
              onChange={(allow_questions) => change({ allow_questions })}
            />
            <Check
              label={text.topics.supportCenter}
              checked={fields.in_support_center}
              onChange={(in_support_center) => change({ in_support_center })}
            />
          </>
        )}
      </Editor>
      <Translations path={path} known={known} form={FORM} />
    </div>
  );
}

interface NameFieldsProps {
  readonly name: string;
  readonly description: string | null;
  readonly error: unknown;
  readonly onChange: (part: { name?: string; description?: string | null }) => void;
}

/** Inputs for a name and a description, which follow the direction of the text. */
export const NameFields = ({ name, description, error, onChange }: NameFieldsProps): JSX.Element => (
  <>
    <TextField
      label={text.topics.name}
      name="name"
      error={error}
      value={name}
      onInput={(typed) => onChange({ name: typed })}
    />
    <TextArea
      label={text.topics.description}
      name="description"
      error={error}
      value={description}
      onInput={(typed) => onChange({ description: typed || null })}
      input={{ rows: 3 }}
    />
  </>
);

interface TranslationFields {
  readonly name: string;
  readonly description: string | null;
}

const FORM: TranslationForm<Translation, TranslationFields> = {
  nothing: { name: '', description: null },
  read: ({ name, description }) => ({ name, description }),
  show: ({ name, description }) => ({ [text.topics.name]: name, [text.topics.description]: description ?? '' }),
  isComplete: ({ name }) => name !== '',
  inputs: (fields, change, error) => <NameFields {...fields} error={error} onChange={change} />,
};
