import type { Reply } from './reply.ts';
import type { Request } from './request.ts';

/** Whether a person with a browser asks: it navigates by GET and takes HTML. */
export const asksForPage = ({ method, headers }: Request): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  /\btext\/html\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(headers.accept ?? '');

/** Leads a browser that lost its way to the console. */
export const leadToConsole = ({ origin }: Request): Reply => ({
  status: 303,
  headers: { Location: `${origin}/console`, 'Cache-Control': 'no-cache', Vary: 'Accept, Accept-Encoding' },
});
