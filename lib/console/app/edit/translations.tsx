import type { ComponentChildren, JSX } from 'preact';
import { languageName } from '../../model/format.ts';
import { topicText } from '../../model/text/topic-text.ts';
import { useApp } from '../context.tsx';
import { Trouble } from '../trouble.tsx';
import { Editor } from './editor.tsx';
import type { Form, FormKind } from './form.ts';
import { allOf, type Page, useResource } from './resource.ts';

/** The form of a translation, and its inputs. */
export interface TranslationForm<T, F> {
  readonly kind: FormKind<T, F>;
  readonly nothing: F; // of a new translation
  readonly isComplete: (fields: F) => boolean;
  readonly mark?: (translation: T) => ComponentChildren; // beside the language
  readonly inputs: (form: Form<F>, locale: string) => ComponentChildren;
}

interface TranslationsProps<T, F> {
  readonly path: string; // of the topic or article
  readonly form: TranslationForm<T, F>;
}

/** Translations side by side, the missing ones too. That in the default locale is the thing itself. */
export function Translations<T extends { readonly locale: string }, F extends object>(
  props: TranslationsProps<T, F>,
): JSX.Element {
  const { path, form } = props;
  const list = useResource<Page<T>>(allOf(`${path}/translations`));
  const there = list.data?._embedded.entries ?? [];
  const { mayWrite, definitions } = useApp(); // whoever may write has definitions
  const { locales = [], default_locale: standing } = definitions?.site ?? {};
  const missing = list.data ? locales.filter((locale) => !there.some((each) => each.locale === locale)) : [];
  return (
    <section aria-label={topicText.translations}>
      <h2>{topicText.translations}</h2>
      <p class="quiet">{topicText.translationsHint}</p>
      <Trouble error={list.error} onAgain={list.reload} />
      <div class="side-by-side">
        {there
          .filter(({ locale }) => locale !== standing)
          .map(({ locale }) => (
            <TranslationCard
              key={locale}
              path={`${path}/translations/${locale}`}
              locale={locale}
              form={form}
              onRemoved={list.reload}
            />
          ))}
        {mayWrite &&
          missing.map((locale) => (
            <NewTranslation key={locale} path={path} locale={locale} form={form} onMade={list.reload} />
          ))}
      </div>
    </section>
  );
}

interface CardProps<T, F> {
  readonly path: string;
  readonly locale: string;
  readonly form: TranslationForm<T, F>;
}

function TranslationCard<T, F extends object>({
  path,
  locale,
  form,
  onRemoved,
}: CardProps<T, F> & { readonly onRemoved: () => void }): JSX.Element {
  const resource = useResource<T>(path);
  return (
    <div class="translation">
      <h3>
        {languageName(locale)} {resource.data && form.mark?.(resource.data)}
      </h3>
      <Editor path={path} resource={resource} kind={form.kind} label={locale} onRemoved={onRemoved}>
        {(fields) => form.inputs(fields, locale)}
      </Editor>
    </div>
  );
}

/** A form for a translation that is missing. */
function NewTranslation<T, F extends object>({
  path,
  locale,
  form,
  onMade,
}: CardProps<T, F> & { readonly onMade: () => void }): JSX.Element {
  return (
    <div class="translation missing">
      <h3>
        {languageName(locale)} <span class="tag missing">{topicText.missing}</span>
      </h3>
      <Editor
        path={`${path}/translations`}
        resource={useResource<T>(undefined)}
        kind={form.kind}
        body={(fields) => ({ locale, ...fields })}
        label={locale}
        creating={{ fields: form.nothing, isComplete: form.isComplete, onMade }}
      >
        {(fields) => form.inputs(fields, locale)}
      </Editor>
    </div>
  );
}
