import {
  fitsBody,
  fitsSignature,
  isOfMethod,
  type OAuthParameters,
  type OAuthSecrets,
  problemOf,
  type SignedRequest,
} from '../access/oauth/oauth.ts';
import { openSecrets, type ReadOAuthKeys } from '../access/oauth/oauth-secrets.ts';
import type { Guesser } from '../access/passwords/guesses.ts';
import { isLocal, normalizeHost } from '../access/sites.ts';
import { secretsPlace, type Token } from '../access/tokens.ts';
import { badRequest, type Failure } from '../errors.ts';
import { unsigned } from './credentials.ts';
import type { Request } from './request.ts';

interface SignedCall {
  readonly request: Request;
  readonly guesser: Guesser;
  readonly now: number; // epoch ms
}

interface TokenSignature {
  readonly token: Token;
  readonly oauth: OAuthParameters;
  readonly keys: ReadOAuthKeys;
}

/** Throws `unauthorized` with the problem of a signature. The body is read only if the signature hangs on it. */
export async function checkSignature(
  { request, guesser, now }: SignedCall,
  { token, oauth, keys }: TokenSignature,
): Promise<void> {
  const signed = signedRequest(request);
  const problem = problemOf(oauth, signed, now);
  if (problem !== undefined) throw unsigned(problem);
  const secrets = await secretsOf(guesser.site, token, keys);
  if (secrets === undefined || token.oauth?.consumer !== oauth.get('oauth_consumer_key'))
    throw unsigned('signature_invalid');
  const hasBody = request.method === 'POST' || request.method === 'PATCH' || request.method === 'PUT';
  const body = () => (hasBody ? request.readBody(guesser) : Promise.resolve(Buffer.alloc(0)));
  const isForm = hasBody && /^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '');
  const fits = async (call: SignedRequest): Promise<boolean> =>
    fitsSignature(oauth, call, secrets) ||
    (isForm && fitsSignature(oauth, call, secrets, [...new URLSearchParams((await body()).toString())]));
  const override = request.headers['x-http-method-override']?.trim().toUpperCase();
  const isOverridden = request.method === 'POST' && override !== undefined;
  if (isOverridden && isOfMethod(oauth) && (await fits({ ...signed, method: override }))) return checkBody();
  if (!(await fits(signed))) throw unsigned('signature_invalid');
  await checkBody();
  if (isOverridden) throw unsignedOverride();

  async function checkBody(): Promise<void> {
    if (oauth.has('oauth_body_hash') && !fitsBody(oauth, await body())) throw unsigned('signature_invalid');
  }
}

/** The 400 of a header that would make a signed request another one: whoever adds it need not know the secrets. */
function unsignedOverride(): Failure {
  const message =
    'X-HTTP-Method-Override is not signed: sign the request for the method that it names, or send that method.';
  return badRequest(message);
}

/** The secrets of a token. If its key is not among those that were read, it may have been made since. */
async function secretsOf(site: string, token: Token, keys: ReadOAuthKeys): Promise<OAuthSecrets | undefined> {
  if (token.oauth === undefined) return undefined;
  const { sealed } = token.oauth;
  const readKeys = await keys(false);
  const hasKey = readKeys.some(({ id }) => id === sealed.key);
  return openSecrets(hasKey ? readKeys : await keys(true), sealed, secretsPlace(site, token));
}

/** What of a request is signed. A proxy may hide the scheme, and the gateway the stage. */
function signedRequest({ method, host, sentPath, origin, secure, sentQuery }: Request): SignedRequest {
  const stage = origin.replace(/^https?:\/\/[^/]*/, '');
  const urls = (['https', 'http'] as const).flatMap((scheme) => {
    const usual = scheme === 'https' ? ':443' : ':80';
    const name = host.toLowerCase();
    const authority = name.endsWith(usual) ? name.slice(0, -usual.length) : name;
    return [...new Set(['', stage])].map((prefix) => `${scheme}://${authority}${prefix}${sentPath}`);
  });
  const pairs = sentQuery.filter(([name]) => !name.startsWith('oauth_'));
  return { method, urls, pairs, isPrivate: secure || isLocal(normalizeHost(host)) };
}
