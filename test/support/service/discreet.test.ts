import type { Context } from 'aws-lambda';
import type { Handler } from '../../../lib/http/serve.ts';
import { basic } from './credentials.ts';
import { watchLog } from './discreet.ts';
import { toEvent } from './edge.ts';

const password = 'a "quoted" secret';
const text = 'a text of the body';

it.each([password, basic('ann', password), text, JSON.stringify({ deep: [{ text }] })])(
  'a log line that tells %s is found',
  async (secret) => {
    const logged: unknown[] = [];
    const handler: Handler = async () => {
      logged.push({ message: 'request', error: `because of ${secret}` });
      return { statusCode: 200, headers: {}, body: '' };
    };
    const event = toEvent({
      method: 'POST',
      target: '/',
      headers: { Authorization: basic('ann', password) },
      body: Buffer.from(JSON.stringify({ deep: [{ text }] })),
      host: 'localhost',
    });
    await expect(watchLog(handler, logged)(event, {} as Context)).rejects.toThrow('the log tells');
  },
);

const SIGNED = { oauth_token: 'YW5u.a-token', oauth_signature: 'consumer%20secret&token secret' };

it.each(Object.values(SIGNED).flatMap((secret) => [secret, encodeURIComponent(secret)]))(
  'a log line that tells %s of a signature in header or query is found',
  async (secret) => {
    const logged: unknown[] = [];
    const handler: Handler = async () => {
      logged.push({ message: 'request', path: `/?x=${secret}` });
      return { statusCode: 200, headers: {}, body: '' };
    };
    const values = Object.entries(SIGNED).map(([name, value]) => [name, encodeURIComponent(value)] as const);
    const query = values.map(([name, value]) => `${name}=${value}`).join('&');
    const header = `OAuth ${values.map(([name, value]) => `${name}="${value}"`).join(', ')}`;
    for (const [target, headers] of [
      ['/', { Authorization: header }],
      [`/?${query}`, {}],
    ] as const) {
      const event = toEvent({ method: 'GET', target, headers, body: Buffer.alloc(0), host: 'localhost' });
      await expect(watchLog(handler, logged)(event, {} as Context)).rejects.toThrow('the log tells');
    }
  },
);
