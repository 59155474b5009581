/** Entity tags in `If-Match` and `If-None-Match` (RFC 9110, 13.1). */

const TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

/** Whether `If-None-Match` names the tag: weak comparison, `*` names any. */
export function ifNoneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return [...header.matchAll(TAG)].some(([, , opaque]) => `"${opaque}"` === etag);
}

/** Whether `If-Match` lets a change of what has this tag pass: strong comparison, absent and `*` let all pass. */
export function ifMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined || header.trim() === '*') return true;
  return [...header.matchAll(TAG)].some(([, weak, opaque]) => weak === undefined && `"${opaque}"` === etag);
}
