import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { percentDecoded, percentEncoded } from '../../text.ts';

/** Signatures of OAuth 1.0a (RFC 5849). */

type Pair = readonly [name: string, value: string];

/** The `oauth_*` parameters of a request, each sent once. */
export type OAuthParameters = ReadonlyMap<string, string>;

/** The problems that a reply names in `X-OAuth-Problem`. */
export type OAuthProblem =
  | 'timestamp_refused'
  | 'signature_method_rejected'
  | 'version_rejected'
  | 'parameter_absent'
  | 'signature_invalid';

/** What of a request is signed. */
export interface SignedRequest {
  readonly method: string; // as sent, or as an override names it
  readonly urls: readonly string[]; // without query; the signature must fit one of them
  readonly pairs: readonly Pair[]; // the query, decoded, without `oauth_*`
  readonly isPrivate: boolean; // over TLS, or within this machine
}

/** The two secrets of a token. */
export interface OAuthSecrets {
  readonly consumer: string;
  readonly token: string;
}

const LATEST = 300; // s that a clock may be off, either way
const LONGEST_NONCE = 255; // characters
const NEEDED = ['oauth_consumer_key', 'oauth_token', 'oauth_signature_method', 'oauth_signature'] as const;

/**
 * Reads `Authorization: OAuth …` or the parameters of a query; undefined if the request has neither. A parameter that
 * is there twice is a problem, and so are both ways at once.
 */
export function readOAuth(
  header: string | undefined,
  query: readonly Pair[],
): OAuthParameters | OAuthProblem | undefined {
  const text = /^oauth\s/i.test(header ?? '') ? header?.slice('oauth'.length) : undefined;
  const inQuery = query.filter(([name]) => name.startsWith('oauth_'));
  const isSigned = inQuery.some(([name]) => name === 'oauth_signature');
  if (text === undefined) return isSigned && header === undefined ? once(inQuery) : undefined;
  const pairs = parseHeader(text);
  return pairs === undefined || inQuery.length > 0 ? 'signature_invalid' : once(pairs);
}

const once = (pairs: readonly Pair[]): OAuthParameters | OAuthProblem => {
  const parameters = new Map(pairs);
  return parameters.size === pairs.length ? parameters : 'signature_invalid';
};

/** The parameters of the header; values may lack their quotation marks. Undefined if it is malformed. */
function parseHeader(header: string): Pair[] | undefined {
  const pairs: Pair[] = [];
  for (const part of header.split(',')) {
    if (part.trim() === '') continue;
    const equals = part.indexOf('=');
    const [name, sent] = [part.slice(0, equals).trim(), part.slice(equals + 1).trim()];
    const isQuoted = sent.length > 1 && sent.startsWith('"') && sent.endsWith('"');
    const text = isQuoted ? sent.slice(1, -1) : sent;
    if (equals < 0 || name === '' || /\s/.test(name) || text.includes('"') || (!isQuoted && /\s/.test(text)))
      return undefined;
    const [key, value] = [percentDecoded(name), percentDecoded(text)];
    if (key === undefined || value === undefined) return undefined;
    if (key !== 'realm') pairs.push([key, value]);
  }
  return pairs;
}

/** The problem of parameters that no secret is needed to see; `now` in epoch ms. */
export function problemOf(sent: OAuthParameters, { isPrivate }: SignedRequest, now: number): OAuthProblem | undefined {
  if (NEEDED.some((name) => !sent.get(name))) return 'parameter_absent';
  if ((sent.get('oauth_version') ?? '1.0') !== '1.0') return 'version_rejected';
  const method = sent.get('oauth_signature_method');
  if (method === 'PLAINTEXT') return isPrivate ? undefined : 'signature_method_rejected';
  if (method !== 'HMAC-SHA1') return 'signature_method_rejected';
  const [nonce = '', time = ''] = [sent.get('oauth_nonce'), sent.get('oauth_timestamp')];
  if (nonce === '' || time === '') return 'parameter_absent';
  if (nonce.length > LONGEST_NONCE) return 'signature_invalid';
  const isNear = /^\d{1,12}$/.test(time) && Math.abs(Number(time) - Math.floor(now / 1000)) <= LATEST;
  return isNear ? undefined : 'timestamp_refused';
}

/** Whether a signature is made for one method alone: plain text signs nothing of a request. */
export const isOfMethod = (sent: OAuthParameters): boolean => sent.get('oauth_signature_method') !== 'PLAINTEXT';

/** Whether the signature is right; `form` are the parameters of a body that is a form. */
export function fitsSignature(
  sent: OAuthParameters,
  request: SignedRequest,
  secrets: OAuthSecrets,
  form: readonly Pair[] = [],
): boolean {
  const signature = sent.get('oauth_signature') ?? '';
  const key = `${percentEncoded(secrets.consumer)}&${percentEncoded(secrets.token)}`;
  if (sent.get('oauth_signature_method') === 'PLAINTEXT') return isEqual(signature, key);
  const fits = request.urls.map((url) =>
    isEqual(
      signature,
      createHmac('sha1', key)
        .update(baseString(sent, { ...request, url }, form))
        .digest('base64'),
    ),
  );
  return fits.includes(true);
}

/** The signature base string (RFC 5849, 3.4.1). */
export function baseString(
  sent: OAuthParameters,
  { method, url, pairs }: Pick<SignedRequest, 'method' | 'pairs'> & { readonly url: string },
  form: readonly Pair[] = [],
): string {
  const all = [...pairs, ...form, ...[...sent].filter(([name]) => name !== 'oauth_signature' && name !== 'realm')];
  const parameters = all
    .map(([name, value]): Pair => [percentEncoded(name), percentEncoded(value)])
    .sort(([a, one], [b, other]) => (a === b ? order(one, other) : order(a, b)))
    .map((pair) => pair.join('='))
    .join('&');
  return [method, percentEncoded(url), percentEncoded(parameters)].join('&');
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Whether a body is the one that `oauth_body_hash` names, if it names one. */
export function fitsBody(sent: OAuthParameters, body: Buffer): boolean {
  const named = sent.get('oauth_body_hash');
  return named === undefined || isEqual(named, hash('sha1', body, 'base64'));
}

/** Compares in a time that tells nothing of where texts differ. */
const isEqual = (a: string, b: string): boolean =>
  timingSafeEqual(Buffer.from(hash('sha256', a, 'hex')), Buffer.from(hash('sha256', b, 'hex')));
