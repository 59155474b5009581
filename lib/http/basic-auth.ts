export interface Credentials {
  readonly login: string;
  readonly password: string;
}

/** Reads HTTP Basic credentials (RFC 7617, UTF-8); undefined where there are none or they make no sense. */
export function parseBasicAuth(header: string | undefined): Credentials | undefined {
  const [, token] = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header ?? '') ?? [];
  if (token === undefined) return undefined;
  const text = Buffer.from(token, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { login: text.slice(0, colon), password: text.slice(colon + 1) };
}
