import { hash } from 'node:crypto';
import * as z from 'zod';
import type { PageEnd } from './page.ts';

/** The content of a cursor: the request and the history that it belongs to, and the end of the page before. */
export interface Cursor {
  readonly of: string; // digest of the request
  readonly now: number; // epoch ms, as of the first page
  readonly history: string; // the version and the tail of the history
  readonly place: PageEnd;
}

const place = z.object({
  at: z.number(),
  value: z.number(),
  counted: z.boolean(),
  case: z.string(),
  shown: z.int(),
});
export const cursorShape = z.object({ of: z.string(), now: z.number(), history: z.string(), place });

/** The digest of a request without its page. */
export function requestDigest({ cursor, per_page, ...request }: Readonly<Record<string, unknown>>): string {
  return hash('sha256', JSON.stringify(request), 'hex').slice(0, 16);
}
