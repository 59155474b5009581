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

function secretsOf({ headers, body }: GatewayEvent): string[] {
  const [, token] = (headers.Authorization ?? '').split(' ');
  const password = token && Buffer.from(token, 'base64').toString().split(':').slice(1).join(':');
  return [token ?? '', password ?? '', body ?? '', ...textsOf(parsed(body))].filter(({ length }) => length >= SHORT);
}

function parsed(body: string | null): unknown {
  try {
    return JSON.parse(body ?? '');
  } catch {
    return undefined;
  }
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
