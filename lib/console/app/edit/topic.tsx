import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { languageName } from '../../model/format.ts';
import { faultText, text } from '../../model/text.ts';
import { useApp } from '../context.tsx';
import { go, href } from '../location.ts';
import { Trouble } from '../trouble.tsx';
import { Field } from '../ui.tsx';
import { Editor } from './editor.tsx';
import { faultsOf, isGeneral, type Page, useResource } from './resource.ts';
import type { Topic, Translation } from './topic-shape.ts';

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
            <label class="check">
              <input
                type="checkbox"
                checked={fields.allow_questions}
                onChange={(event) => change({ allow_questions: event.currentTarget.checked })}
              />{' '}
              {text.topics.questions}
            </label>
            <label class="check">
              <input
                type="checkbox"
                checked={fields.in_support_center}
                onChange={(event) => change({ in_support_center: event.currentTarget.checked })}
              />{' '}
              {text.topics.supportCenter}
            </label>
          </>
        )}
      </Editor>
      <Translations path={path} known={known} />
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
export function NameFields({ name, description, error, onChange }: NameFieldsProps): JSX.Element {
  const fault = (field: string): string | undefined => {
    const [code] = faultsOf(error, field);
    return code && faultText(field, code);
  };
  return (
    <>
      <Field label={text.topics.name} error={fault('name')}>
        {(attributes) => (
          <input
            {...attributes}
            class="input"
            dir="auto"
            value={name}
            onInput={(event) => onChange({ name: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label={text.topics.description} error={fault('description')}>
        {(attributes) => (
          <textarea
            {...attributes}
            class="input"
            dir="auto"
            rows={3}
            value={description ?? ''}
            onInput={(event) => onChange({ description: event.currentTarget.value || null })}
          />
        )}
      </Field>
    </>
  );
}

function Translations({ path, known }: { readonly path: string; readonly known: readonly string[] }): JSX.Element {
  const list = useResource<Page<Translation>>(`${path}/translations?per_page=1000`);
  const there = list.data?._embedded.entries ?? [];
  const missing = known.filter((locale) => !there.some((each) => each.locale === locale));
  const { mayWrite, definitions } = useApp();
  const standing = definitions?.site.default_locale; // the translation in this locale is the topic itself
  return (
    <section aria-label={text.topics.translations}>
      <h2>{text.topics.translations}</h2>
      <p class="quiet">{text.topics.translationsHint}</p>
      <Trouble error={list.error} onAgain={list.reload} />
      <div class="side-by-side">
        {there
          .filter(({ locale }) => locale !== standing)
          .map(({ locale }) => (
            <TranslationCard
              key={locale}
              path={`${path}/translations/${locale}`}
              locale={locale}
              onRemoved={list.reload}
            />
          ))}
        {mayWrite &&
          missing.map((locale) => <NewTranslation key={locale} path={path} locale={locale} onMade={list.reload} />)}
      </div>
    </section>
  );
}

interface TranslationFields {
  readonly name: string;
  readonly description: string | null;
}

interface TranslationCardProps {
  readonly path: string;
  readonly locale: string;
  readonly onRemoved: () => void;
}

function TranslationCard({ path, locale, onRemoved }: TranslationCardProps): JSX.Element {
  const resource = useResource<Translation>(path);
  return (
    <div class="translation">
      <h3>{languageName(locale)}</h3>
      <Editor<Translation, TranslationFields>
        path={path}
        resource={resource}
        read={({ name, description }) => ({ name, description })}
        show={({ name, description }) => ({ [text.topics.name]: name, [text.topics.description]: description ?? '' })}
        label={locale}
        onRemoved={onRemoved}
      >
        {(fields, change, error) => <NameFields {...fields} error={error} onChange={change} />}
      </Editor>
    </div>
  );
}

interface NewTranslationProps {
  readonly path: string; // of the topic
  readonly locale: string;
  readonly onMade: () => void;
}

/** A form for a translation that the topic lacks. */
function NewTranslation({ path, locale, onMade }: NewTranslationProps): JSX.Element {
  const { api, say } = useApp();
  const nothing: TranslationFields & { readonly locale: string } = { locale, name: '', description: null };
  const [fields, setFields] = useState(nothing);
  const [error, setError] = useState<unknown>();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    try {
      await api.ask(`${path}/translations`, { method: 'POST', body: fields });
      say(text.edit.saved);
      setFields(nothing);
      setError(undefined);
      onMade();
    } catch (fault) {
      setError(fault);
    }
  };
  return (
    <div class="translation">
      <h3>
        {languageName(locale)} <span class="tag missing">{text.topics.missing}</span>
      </h3>
      <form class="card editor missing" onSubmit={submit}>
        {isGeneral(error) && <Trouble error={error} />}
        <NameFields {...fields} error={error} onChange={(part) => setFields({ ...fields, ...part })} />
        <p class="row">
          <button type="submit" class="button" disabled={fields.name === ''}>
            {text.edit.create}
          </button>
        </p>
      </form>
    </div>
  );
}
