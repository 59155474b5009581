import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { articleText } from '../../model/text/article-text.ts';
import { useApp } from '../context.tsx';
import { fieldFault, TextArea } from '../ui/fields.tsx';
import { Button, Notice } from '../ui/ui.tsx';
import { Paper } from './paper.tsx';

interface BodyProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly locale: string | undefined;
  readonly error: unknown; // of the last write
  readonly onInput: (html: string) => void;
}

/**
 * The text of an article as readers see it, or its HTML. Where the editor would lose something of it, it says what, and
 * the text is only shown until the HTML is changed or the loss is accepted.
 */
export function ArticleBody({ name, label, value, locale, error, onInput }: BodyProps): JSX.Element {
  const { mayWrite } = useApp();
  const [isHtml, setHtml] = useState(false);
  const [lost, setLost] = useState<readonly string[]>([]);
  const [accepted, setAccepted] = useState<readonly string[]>([]);
  const isLossy = lost.some((one) => !accepted.includes(one));
  const fault = fieldFault(error, name);
  return (
    <div class="field">
      <p class="row spread">
        <strong class="small">{label}</strong>
        <span class="segments">
          <button type="button" aria-pressed={!isHtml} onClick={() => setHtml(false)}>
            {articleText.shown}
          </button>
          <button type="button" aria-pressed={isHtml} onClick={() => setHtml(true)}>
            {articleText.html}
          </button>
        </span>
      </p>
      {isHtml ? (
        <TextArea
          label={articleText.htmlOf(label)}
          name={name}
          error={error}
          value={value}
          onInput={onInput}
          input={{ rows: 14, spellcheck: false }}
        />
      ) : (
        <>
          {isLossy && mayWrite && (
            <Notice>
              <p>{articleText.lost(lost)}</p>
              <p class="row">
                <Button onClick={() => setHtml(true)}>{articleText.editHtml}</Button>
                <Button onClick={() => setAccepted(lost)}>{articleText.editAnyway}</Button>
              </p>
            </Notice>
          )}
          <Paper
            label={label}
            value={value}
            locale={locale}
            isEditable={mayWrite && !isLossy}
            onInput={onInput}
            onShown={setLost}
          />
          {fault && <p class="fault small">{fault}</p>}
        </>
      )}
    </div>
  );
}
