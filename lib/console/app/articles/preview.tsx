import DOMPurify from 'dompurify';
import type { JSX } from 'preact';
import { articleText } from '../../model/text/article-text.ts';

interface PreviewProps {
  readonly subject: string;
  readonly html: string | null;
}

/**
 * HTML as readers would see it. It is cleaned, and its frame is a sandbox without scripts, forms and our origin, so that
 * whatever the cleaning let through would do nothing.
 */
export const Preview = ({ subject, html }: PreviewProps): JSX.Element => (
  <iframe
    class="preview-frame"
    title={articleText.preview(subject)}
    sandbox=""
    srcDoc={`<!doctype html><meta charset="utf-8">${cleaned(html ?? '')}`}
  />
);

const cleaned = (html: string): string =>
  DOMPurify.sanitize(html, { FORBID_TAGS: ['style', 'form', 'input', 'button', 'textarea', 'select'] });
