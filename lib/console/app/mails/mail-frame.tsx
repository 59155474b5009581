import type { JSX } from 'preact';
import { text } from '../../model/text/text.ts';

interface MailFrameProps {
  readonly subject: string;
  readonly html: string; // as the service made it: all texts of the site are escaped
}

/**
 * A mail as its readers see it. Its frame is a sandbox without scripts and forms. The page's policy, which the frame
 * inherits, refuses inline styles; so these are set by the page, for which the sandbox keeps its origin.
 */
export const MailFrame = ({ subject, html }: MailFrameProps): JSX.Element => (
  <iframe
    class="mail-frame"
    title={text.mails.preview(subject)}
    sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
    srcDoc={html.replace(SHEET, '').replaceAll(' style="', ' data-style="')}
    onLoad={(event) => dress(event.currentTarget, SHEET.exec(html)?.[1] ?? '')}
  />
);

const SHEET = /<style>([^<]*)<\/style>/;

function dress(frame: HTMLIFrameElement, css: string): void {
  const page = frame.contentDocument;
  const view = page?.defaultView;
  if (!page || !view) return;
  for (const element of page.querySelectorAll<HTMLElement>('[data-style]'))
    element.style.cssText = element.dataset.style ?? '';
  for (const link of page.querySelectorAll('a')) link.target = '_blank';
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(css);
  page.adoptedStyleSheets = [sheet];
  frame.style.height = `${page.documentElement.scrollHeight}px`;
}
