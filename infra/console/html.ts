import { CONSOLE_PREFIX, UPLOADS } from '../../lib/console/built.ts';
import { escapeHtml } from '../../lib/text.ts';

/** The contents of a page's head; addresses include the stage's prefix. */
export interface Head {
  readonly title: string;
  readonly style: string;
  readonly script?: string;
  readonly robots?: string; // what search engines may do; absent: what they like
}

/** The icon in the browser's tab: four bars on a rounded square. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%234f46e5'/%3E%3Cpath d='M8 20v-5m5.3 5v-9m5.4 9v-6M24 20V9' stroke='%23fff' stroke-width='3' stroke-linecap='round'/%3E%3C/svg%3E";

/** A complete HTML document. The page's policy forbids inline scripts and styles. */
export const htmlPage = ({ title, style, script, robots }: Head, body: string): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
${robots === undefined ? '' : `<meta name="robots" content="${robots}">\n`}<meta name="prefix" content="${CONSOLE_PREFIX}">
<meta name="uploads" content="${UPLOADS}">
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${style}">
${script === undefined ? '' : `<script type="module" src="${script}"></script>\n`}</head>
<body>
${body}
</body>
</html>
`;
