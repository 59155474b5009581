import { hash } from 'node:crypto';
import { FAILURES, type Failure } from '../errors.ts';

/** Bytes of a reply's body at most: a Lambda function can answer with 6 MB, envelope included (docs/interface.md). */
export const REPLY_LIMIT = 5_500_000;

/** Whether a body fits a reply. A function returns it as a JSON string, in which quotes and backslashes count twice. */
export const fitsReply = (body: string): boolean => bytesInResult(body) <= REPLY_LIMIT;

/** The bytes that a body takes in a function's result. */
export const bytesInResult = (body: string): number => Buffer.byteLength(JSON.stringify(body));

/**
 * The bytes that an object with these entries takes in a function's result. It counts no further than `REPLY_LIMIT`: what
 * exceeds that is refused, however much more there is.
 */
export function bytesOfEntries(entries: Iterable<readonly [key: string, value: unknown]>): number {
  let bytes = 2; // braces
  for (const [key, value] of entries) {
    bytes += bytesInResult(`${JSON.stringify(key)}:${JSON.stringify(value)},`) - 2;
    if (bytes > REPLY_LIMIT) break;
  }
  return bytes;
}

/** A route's answer. */
export interface Reply {
  readonly status: number;
  readonly body?: string; // JSON
  readonly headers?: Readonly<Record<string, string>>;
}

/** A strong, quoted ETag of a text: equal texts have equal tags (docs/interface.md). */
export const etagOf = (text: string): string => `"${hash('sha256', text, 'hex').slice(0, 32)}"`;

/** A reply that shows one resource or document; its tag is the hash of its body. */
export const show = (body: unknown, headers: Readonly<Record<string, string>> = {}): Reply =>
  showJson(JSON.stringify(body), headers);

/** The same for a body that is JSON already. */
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

/** The reply to a failed request. */
export function failed(failure: Failure): Reply {
  const { message, errors, details, headers, kind } = failure;
  const body = JSON.stringify({ message, errors, details });
  return { status: FAILURES[kind].status, body, headers };
}

/** Entity tags in `If-Match` and `If-None-Match` (RFC 9110, 13.1). */

const TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

/** Whether `If-None-Match` names the tag: weak comparison; `*` matches any tag. */
export function ifNoneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return [...header.matchAll(TAG)].some(([, , opaque]) => `"${opaque}"` === etag);
}

/**
 * Whether `If-Match` allows a change to the resource with this tag: strong comparison; an absent header and `*` allow
 * it.
 */
export function ifMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined || header.trim() === '*') return true;
  return [...header.matchAll(TAG)].some(([, weak, opaque]) => weak === undefined && `"${opaque}"` === etag);
}
