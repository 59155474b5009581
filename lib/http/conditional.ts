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
