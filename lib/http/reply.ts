import { hash } from 'node:crypto';
import { FAILURES, type Failure } from '../errors.ts';

/** Bytes of a reply's body: a function answers with 6 MB at most, its envelope included (docs/interface.md). */
export const REPLY_LIMIT = 5_500_000;

/** What a route answers with. */
export interface Reply {
  readonly status: number;
  readonly body?: string; // JSON
  readonly headers?: Readonly<Record<string, string>>;
}

/** A strong, quoted tag of a text: equal texts, equal tags (docs/interface.md). */
export const etagOf = (text: string): string => `"${hash('sha256', text, 'hex').slice(0, 32)}"`;

/** A reply that shows one resource or document; its tag is the hash of its body. */
export const show = (body: unknown, headers: Readonly<Record<string, string>> = {}): Reply =>
  showJson(JSON.stringify(body), headers);

/** A reply that shows what is JSON already. */
export const showJson = (body: string, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status: 200,
  body,
  headers: { ETag: etagOf(body), ...headers },
});

/** A reply to a create: `href` begins with `/api/v2/`, the Location is absolute. */
export function created(origin: string, href: string, body: unknown): Reply {
  return { ...show(body, { Location: `${origin}${href}` }), status: 201 };
}

export const noContent: Reply = { status: 204 };

/** What a failure looks like to the client. */
export function failed(failure: Failure): Reply {
  const { message, errors, details, headers, kind } = failure;
  const body = JSON.stringify({ message, errors, details });
  return { status: FAILURES[kind].status, body, headers };
}
