import { isUtf8 } from 'node:buffer';
import { type OAuthParameters, type OAuthProblem, readOAuth } from '../access/oauth/oauth.ts';
import { readTokenText } from '../access/tokens.ts';
import { Failure } from '../errors.ts';
import type { Request } from './request.ts';

/** The credentials of a request: login and password, a token, or a signature by a token. */
export type Credentials =
  | { readonly login: string; readonly password: string }
  | {
      readonly login: string;
      readonly token: string; // the hash that the token is stored under
      readonly oauth?: OAuthParameters; // the signature; absent: a bearer token
    };

/**
 * Reads HTTP Basic credentials (RFC 7617, UTF-8), a bearer token (RFC 6750) or a signature (RFC 5849); undefined if
 * absent or malformed, a problem if a signature cannot be looked at.
 */
export function parseCredentials({
  headers,
  sentQuery,
}: Pick<Request, 'headers' | 'sentQuery'>): Credentials | OAuthProblem | undefined {
  const { authorization } = headers;
  const oauth = readOAuth(authorization, sentQuery);
  if (typeof oauth === 'string') return oauth;
  if (oauth !== undefined) {
    const read = readTokenText(oauth.get('oauth_token') ?? '');
    return read ? { login: read.login, token: read.hash, oauth } : 'signature_invalid';
  }
  return parseHeader(authorization);
}

function parseHeader(header: string | undefined): Credentials | undefined {
  const [, bearer] = /^bearer +(\S+) *$/i.exec(header ?? '') ?? [];
  if (bearer !== undefined) {
    const read = readTokenText(bearer);
    return read && { login: read.login, token: read.hash };
  }
  const [, basic] = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header ?? '') ?? [];
  if (basic === undefined) return undefined;
  const bytes = Buffer.from(basic, 'base64');
  const text = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1'); // old clients know no charset (RFC 7617, 2.1)
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { login: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** The 401 that asks for credentials. */
export const unauthorized = (): Failure =>
  new Failure('unauthorized', { headers: { 'WWW-Authenticate': 'Basic realm="support", charset="UTF-8"' } });

/** The 401 that names what is wrong with a signature. */
export const unsigned = (problem: OAuthProblem): Failure => unauthorized().withHeaders({ 'X-OAuth-Problem': problem });
