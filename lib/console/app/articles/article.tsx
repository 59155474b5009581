import type { JSX } from 'preact';
import { type Article, type ArticleTranslation, idsOf, visibilityOf } from '../../model/article.ts';
import { faultText, text } from '../../model/text.ts';
import { useApp } from '../context.tsx';
import { Editor } from '../edit/editor.tsx';
import { faultsOf, type Page, useResource } from '../edit/resource.ts';
import { type TranslationForm, Translations } from '../edit/translations.tsx';
import { go, href } from '../location.ts';
import { Field } from '../ui.tsx';
import { Preview } from './preview.tsx';
import { PublishFields } from './publish.tsx';

interface Texts {
  readonly subject: string;
  readonly body: string | null;
}

/** The fields of an article's form, as the API takes them. */
interface ArticleFields extends Texts {
  readonly keywords: string | null;
  readonly quickcode: string | null;
  readonly internal_notes: string | null;
  readonly in_support_center: boolean | null;
  readonly publish_at: string | null;
  readonly topic_ids: readonly number[];
  readonly brand_ids: readonly number[];
  readonly brand_action: 'replace';
}

const readArticle = (article: Article): ArticleFields => ({
  subject: article.subject,
  body: article.body,
  keywords: article.keywords,
  quickcode: article.quickcode,
  internal_notes: article.internal_notes,
  in_support_center: article.in_support_center,
  publish_at: article.publish_at,
  topic_ids: idsOf(article._links.topics),
  brand_ids: idsOf(article._links.brands),
  brand_action: 'replace',
});

const showArticle = (fields: ArticleFields): Record<string, string> => ({
  [text.articles.subject]: fields.subject,
  [text.articles.body]: fields.body ?? '',
  [text.articles.keywords]: fields.keywords ?? '',
  [text.articles.quickcode]: fields.quickcode ?? '',
  [text.articles.notes]: fields.internal_notes ?? '',
  [text.articles.readers]: text.articles.visibility[visibilityOf(fields, Date.now())],
  [text.articles.publishAt]: fields.publish_at ?? '',
  [text.articles.topics]: fields.topic_ids.join(', '),
  [text.articles.brands]: fields.brand_ids.join(', '),
});

/** The page of one article: its texts beside what readers see, where it stands, who sees it, its translations. */
export function ArticlePage({ id }: { readonly id: string }): JSX.Element {
  const { definitions } = useApp();
  const path = `/api/v2/articles/${encodeURIComponent(id)}`;
  const resource = useResource<Article>(path);
  const subject = resource.data?.subject ?? '';
  return (
    <div class="page">
      <a href={href('/articles')}>{text.edit.back}</a>
      <h1 dir="auto">{subject || text.articles.title}</h1>
      <Editor<Article, ArticleFields>
        path={path}
        resource={resource}
        read={readArticle}
        show={showArticle}
        label={subject}
        onRemoved={() => go(href('/articles'))}
      >
        {(fields, change, error) => (
          <>
            <TextFields {...fields} error={error} onChange={change} />
            <PublishFields
              inSupportCenter={fields.in_support_center}
              publishAt={fields.publish_at}
              error={error}
              onChange={change}
            />
            <Members
              label={text.articles.topics}
              path="/api/v2/topics?per_page=1000"
              chosen={fields.topic_ids}
              onChange={(topic_ids) => change({ topic_ids })}
            />
            <Members
              label={text.articles.brands}
              path="/api/v2/brands?per_page=1000"
              chosen={fields.brand_ids}
              onChange={(brand_ids) => change({ brand_ids })}
            />
            {(['keywords', 'quickcode', 'internal_notes'] as const).map((name) => (
              <TextField
                key={name}
                name={name}
                label={
                  {
                    keywords: text.articles.keywords,
                    quickcode: text.articles.quickcode,
                    internal_notes: text.articles.notes,
                  }[name]
                }
                value={fields[name]}
                error={error}
                onChange={(value) => change({ [name]: value })}
              />
            ))}
          </>
        )}
      </Editor>
      <Translations path={path} known={definitions?.site.locales ?? []} form={FORM} />
    </div>
  );
}

const FORM: TranslationForm<ArticleTranslation, Texts> = {
  nothing: { subject: '', body: null },
  read: ({ subject, body }) => ({ subject, body }),
  show: ({ subject, body }) => ({ [text.articles.subject]: subject, [text.articles.body]: body ?? '' }),
  isComplete: ({ subject }) => subject.trim() !== '',
  mark: ({ outdated }) => outdated && <span class="tag missing">{text.articles.outdated}</span>,
  inputs: (fields, change, error) => <TextFields {...fields} error={error} onChange={change} />,
};

interface TextFieldsProps extends Texts {
  readonly error: unknown;
  readonly onChange: (part: Partial<Texts>) => void;
}

/** Inputs for a subject and an HTML body, with the preview beside it. */
function TextFields({ subject, body, error, onChange }: TextFieldsProps): JSX.Element {
  const [code] = faultsOf(error, 'subject');
  const [bodyCode] = faultsOf(error, 'body');
  return (
    <>
      <Field label={text.articles.subject} error={code && faultText('subject', code)}>
        {(attributes) => (
          <input
            {...attributes}
            class="input"
            dir="auto"
            value={subject}
            onInput={({ currentTarget }) => onChange({ subject: currentTarget.value })}
          />
        )}
      </Field>
      <div class="beside">
        <Field label={text.articles.body} error={bodyCode && faultText('body', bodyCode)}>
          {(attributes) => (
            <textarea
              {...attributes}
              class="input code"
              dir="auto"
              rows={14}
              value={body ?? ''}
              onInput={({ currentTarget }) => onChange({ body: currentTarget.value || null })}
            />
          )}
        </Field>
        <Preview subject={subject} html={body} />
      </div>
    </>
  );
}

interface TextFieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: string | null;
  readonly error: unknown;
  readonly onChange: (value: string | null) => void;
}

function TextField({ name, label, value, error, onChange }: TextFieldProps): JSX.Element {
  const [code] = faultsOf(error, name);
  return (
    <Field label={label} error={code && faultText(name, code)}>
      {(attributes) => (
        <input
          {...attributes}
          class="input"
          dir="auto"
          value={value ?? ''}
          onInput={({ currentTarget }) => onChange(currentTarget.value || null)}
        />
      )}
    </Field>
  );
}

interface MembersProps {
  readonly label: string;
  readonly path: string; // of the list to choose from
  readonly chosen: readonly number[];
  readonly onChange: (chosen: readonly number[]) => void;
}

/** Checkboxes for the topics or brands of an article; a topic that is chosen later comes after the others. */
function Members({ label, path, chosen, onChange }: MembersProps): JSX.Element {
  const all = useResource<Page<{ readonly id: number; readonly name: string }>>(path).data?._embedded.entries ?? [];
  return (
    <fieldset class="values">
      <legend>{label}</legend>
      {all.map(({ id, name }) => (
        <label key={id} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={({ currentTarget }) =>
              onChange(currentTarget.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
            }
          />{' '}
          {name}
        </label>
      ))}
    </fieldset>
  );
}
