import type { JSX } from 'preact';
import { type Article, type ArticleTranslation, idsOf, visibilityOf } from '../../model/article.ts';
import { text } from '../../model/text.ts';
import { useApp } from '../context.tsx';
import { Editor } from '../edit/editor.tsx';
import { allOf, type Page, useResource } from '../edit/resource.ts';
import { type TranslationForm, Translations } from '../edit/translations.tsx';
import { Check, TextArea, TextField } from '../fields.tsx';
import { go, href } from '../location.ts';
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
              path={allOf('/api/v2/topics')}
              chosen={fields.topic_ids}
              onChange={(topic_ids) => change({ topic_ids })}
            />
            <Members
              label={text.articles.brands}
              path={allOf('/api/v2/brands')}
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
                error={error}
                value={fields[name]}
                onInput={(typed) => change({ [name]: typed || null })}
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
const TextFields = ({ subject, body, error, onChange }: TextFieldsProps): JSX.Element => (
  <>
    <TextField
      label={text.articles.subject}
      name="subject"
      error={error}
      value={subject}
      onInput={(typed) => onChange({ subject: typed })}
    />
    <div class="beside">
      <TextArea
        label={text.articles.body}
        name="body"
        error={error}
        value={body}
        onInput={(typed) => onChange({ body: typed || null })}
        input={{ class: 'input code', rows: 14 }}
      />
      <Preview subject={subject} html={body} />
    </div>
  </>
);

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
        <Check
          key={id}
          label={name}
          checked={chosen.includes(id)}
          onChange={(checked) => onChange(checked ? [...chosen, id] : chosen.filter((other) => other !== id))}
        />
      ))}
    </fieldset>
  );
}
