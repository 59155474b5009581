import type { GatewayEvent } from '../../../lib/http/request.ts';
import type { Handler } from '../../../lib/http/serve.ts';

const SHORT = 8; // code units; shorter texts of a body may be in a log line by chance

/** Wraps a handler so that it fails if a log line of the request contains its credentials or a text of its body. */
export function watchLog(handler: Handler, logged: readonly unknown[]): Handler {
  return async (event, context) => {
    const before = logged.length;
    const reply = await handler(event, context);
    const lines = JSON.stringify(logged.slice(before));
    const told = secretsOf(event).find((secret) => lines.includes(JSON.stringify(secret).slice(1, -1)));
    if (told !== undefined) throw new Error(`the log tells ${told}`);
    return reply;
  };
}

function secretsOf({ headers, body, multiValueQueryStringParameters }: GatewayEvent): string[] {
  const authorization = headers.Authorization ?? '';
  const [scheme, ...rest] = authorization.split(' ');
  const [token] = scheme === 'OAuth' ? [] : rest;
  const password = token && Buffer.from(token, 'base64').toString().split(':').slice(1).join(':');
  const inQuery = SIGNED.flatMap((name) => multiValueQueryStringParameters?.[name] ?? []);
  const signed = [...signedIn(authorization), ...inQuery].flatMap((value) => [value, encodeURIComponent(value)]);
  const told = [token ?? '', password ?? '', ...signed, body ?? '', ...textsOf(parsed(body))];
  return told.filter(({ length }) => length >= SHORT);
}

/** Parameters of OAuth with which somebody could sign, or has signed: `PLAINTEXT` has the secrets as its signature. */
const SIGNED = ['oauth_token', 'oauth_signature'];

const signedIn = (authorization: string): string[] =>
  SIGNED.flatMap((name) => {
    const [, value] = new RegExp(`\\b${name}="?([^",]+)`).exec(authorization) ?? [];
    return value === undefined ? [] : [decodeURIComponent(value)];
  });

function parsed(body: string | null): unknown {
  try {
    return JSON.parse(body ?? '');
  } catch {
    return undefined;
  }
}

/** The texts in a value, which may be nested deeper than calls can be. */
function textsOf(value: unknown): string[] {
  const texts: string[] = [];
  const left = [value];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next === 'string') texts.push(next);
    if (typeof next === 'object' && next !== null) for (const part of Object.values(next)) left.push(part);
  }
  return texts;
}
