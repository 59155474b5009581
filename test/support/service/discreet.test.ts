import { expect, it } from '@jest/globals';
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
      return { statusCode: 200, body: '' };
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
