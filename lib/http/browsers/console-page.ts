import type { Reply } from '../reply.ts';
import type { Request } from '../request.ts';

/** Whether a person's browser asks for a page: by GET or HEAD, and accepting HTML. */
export const asksForPage = ({ method, headers }: Request): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  /\btext\/html\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(headers.accept ?? '');

/** Redirects a browser to the console, from a path that does not exist. */
export const redirectToConsole = ({ origin }: Request): Reply => ({
  status: 303,
  headers: { Location: `${origin}/console`, 'Cache-Control': 'no-cache', Vary: 'Accept, Accept-Encoding' },
});
