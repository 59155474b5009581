import { escapeHtml } from './html.ts';

/** The API reference as HTML, from the OpenAPI document. */
export function docsPage(document: unknown): string {
  return `<main><h1>API reference</h1><pre>${escapeHtml(JSON.stringify(document).slice(0, 100))}</pre></main>`;
}
