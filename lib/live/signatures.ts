import { createHmac, timingSafeEqual } from 'node:crypto';

type Form = { readonly hash: 'sha1' | 'sha256'; readonly form: 'hex' | 'base64' };

/** Whether two texts are equal, in constant time. */
export function sameText(sent: string, right: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Whether a text is the HMAC of some parts under a secret. */
export function isHmac(
  sent: string,
  secret: string,
  parts: readonly (string | Buffer)[],
  { hash, form }: Form,
): boolean {
  const hmac = createHmac(hash, secret);
  for (const part of parts) hmac.update(part);
  return sameText(sent, hmac.digest(form));
}
