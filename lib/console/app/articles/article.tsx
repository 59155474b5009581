import type { JSX } from 'preact';
import { type Article, type ArticleTranslation, idsOf, visibilityOf } from '../../model/article.ts';
import { articleText } from '../../model/text/article-text.ts';
import { text } from '../../model/text/text.ts';
import { useApp } from '../context.tsx';
import { Editor } from '../edit/editor.tsx';
import { type Form, type FormKind, fieldsOf, formKind } from '../edit/form.ts';
import { allOf, type Page, useResource } from '../edit/resource.ts';
import { type TranslationForm, Translations } from '../edit/translations.tsx';
import { go, href } from '../location.ts';
import { Trouble } from '../trouble.tsx';
import { Check, TextField } from '../ui/fields.tsx';
import { ArticleBody } from './article-body.tsx';
import { PublishFields } from './publish.tsx';

type Texts = Pick<Article, 'subject' | 'body'>;

type Plain = 'subject' | 'body' | 'keywords' | 'quickcode' | 'internal_notes' | 'in_support_center' | 'publish_at';

/** The fields of an article's form, as the API takes them. */
interface ArticleFields extends Pick<Article, Plain> {
  readonly topic_ids: readonly number[];
  readonly brand_ids: readonly number[];
}

const BASE = formKind<ArticleFields>({
  subject: articleText.subject,
  body: articleText.body,
  keywords: articleText.keywords,
  quickcode: articleText.quickcode,
  internal_notes: articleText.notes,
  in_support_center: articleText.readers,
  publish_at: articleText.publishAt,
  topic_ids: articleText.topics,
  brand_ids: articleText.brands,
});

const ARTICLE: FormKind<Article, ArticleFields> = {
  ...BASE,
  read: (article) => ({
    ...article,
    topic_ids: idsOf(article._links.topics),
    brand_ids: idsOf(article._links.brands),
  }),
  show: (fields) => ({
    ...BASE.show(fields),
    [articleText.readers]: articleText.visibility[visibilityOf(fields, Date.now())],
  }),
};

/** The page of one article: its texts beside what readers see, where it stands, who sees it, its translations. */
export function ArticlePage({ id }: { readonly id: string }): JSX.Element {
  const path = `/api/v2/articles/${encodeURIComponent(id)}`;
  const resource = useResource<Article>(path);
  const subject = resource.data?.subject ?? '';
  const { definitions } = useApp();
  return (
    <div class="page">
      <a href={href('/articles')}>{text.edit.back}</a>
      <h1 dir="auto">{subject || text.articles.title}</h1>
      <Editor
        path={path}
        resource={resource}
        kind={ARTICLE}
        body={(fields) => ({ ...fieldsOf(fields, ARTICLE.labels), brand_action: 'replace' })}
        label={subject}
        onRemoved={() => go(href('/articles'))}
      >
        {(form) => (
          <>
            <TextFields form={form} locale={definitions?.site.default_locale} />
            <PublishFields form={form} />
            <Members
              label={articleText.topics}
              path={allOf('/api/v2/topics')}
              chosen={form.fields.topic_ids}
              onChange={(topic_ids) => form.change({ topic_ids })}
            />
            <Members
              label={articleText.brands}
              path={allOf('/api/v2/brands')}
              chosen={form.fields.brand_ids}
              onChange={(brand_ids) => form.change({ brand_ids })}
            />
            <TextField {...form.optional('keywords')} />
            <TextField {...form.optional('quickcode')} />
            <TextField {...form.optional('internal_notes')} />
          </>
        )}
      </Editor>
      {resource.error === undefined && <Translations path={path} form={FORM} />}
    </div>
  );
}

const FORM: TranslationForm<ArticleTranslation, Texts> = {
  kind: formKind<Texts>({ subject: articleText.subject, body: articleText.body }),
  nothing: { subject: '', body: null },
  isComplete: ({ subject }) => subject.trim() !== '',
  mark: ({ outdated }) => outdated && <span class="tag missing">{articleText.outdated}</span>,
  inputs: (form, locale) => <TextFields form={form} locale={locale} />,
};

interface TextFieldsProps {
  readonly form: Form<Texts>;
  readonly locale: string | undefined; // of the texts
}

/** Inputs for a subject and a body. */
const TextFields = ({ form, locale }: TextFieldsProps): JSX.Element => (
  <>
    <TextField {...form.text('subject')} />
    <ArticleBody {...form.optional('body')} locale={locale} />
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
  const all = useResource<Page<{ readonly id: number; readonly name: string }>>(path);
  return (
    <fieldset class="values">
      <legend>{label}</legend>
      <Trouble error={all.error} onAgain={all.reload} />
      {all.data?._embedded.entries.map(({ id, name }) => (
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
