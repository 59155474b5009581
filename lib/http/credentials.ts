import { readTokenText } from '../access/tokens.ts';

/** The credentials of a request: login and password, or a token. */
export type Credentials =
  | { readonly login: string; readonly password: string }
  | { readonly login: string; readonly token: string }; // the hash that the token is stored under

/** Reads HTTP Basic credentials (RFC 7617, UTF-8) or a bearer token (RFC 6750); undefined if absent or malformed. */
export function parseCredentials(header: string | undefined): Credentials | undefined {
  const [, bearer] = /^bearer +(\S+) *$/i.exec(header ?? '') ?? [];
  if (bearer !== undefined) {
    const read = readTokenText(bearer);
    return read && { login: read.login, token: read.hash };
  }
  const [, basic] = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header ?? '') ?? [];
  if (basic === undefined) return undefined;
  const text = Buffer.from(basic, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { login: text.slice(0, colon), password: text.slice(colon + 1) };
}
