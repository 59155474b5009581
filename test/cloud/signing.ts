import { createHmac } from 'node:crypto';
import OAuth from 'oauth-1.0a';
import * as z from 'zod';
import { overHttp } from '../support/service/http-ask.ts';
import type { Support } from './moving.ts';

/** A deployment, and a user in it who may sign. */
interface Signing {
  readonly support: Support; // with the deployment's table
  readonly base: string; // what comes before `/api/v2`
  readonly host: string;
  readonly stage: string;
  readonly secret: string; // the secret with the keys
  readonly site: string;
  readonly login: string;
}

const four = z.object({
  consumer_key: z.string(),
  consumer_secret: z.string(),
  token: z.string(),
  token_secret: z.string(),
});

/** A program signs in by OAuth 1.0a: for the URL with the stage and without it, and also once the key was changed. */
export async function tryOAuth(signing: Signing): Promise<void> {
  const { support, base, host, stage, secret, site, login } = signing;
  const target = '/api/v2/topics?per_page=2';
  const its = ['--site', site, '--login', login, '--name', 'signs', '--json'];
  const made = four.parse(JSON.parse(await support(['token', 'add', ...its, '--oauth', '--secret', secret])));
  const oauth = new OAuth({
    consumer: { key: made.consumer_key, secret: made.consumer_secret },
    signature_method: 'HMAC-SHA1',
    hash_function: (text, key) => createHmac('sha1', key).update(text).digest('base64'),
  });
  const expectStatus = async (status: number, url: string, tokenSecret = made.token_secret): Promise<void> => {
    const sent = oauth.authorize({ url, method: 'GET' }, { key: made.token, secret: tokenSecret });
    const { Authorization } = oauth.toHeader(sent);
    const answer = await overHttp(base, {
      ...{ method: 'GET', target, host, headers: { Authorization }, body: Buffer.alloc(0) },
    });
    if (answer.status !== status) throw new Error(`signed for ${url}: ${answer.status} ${answer.text}`);
  };
  for (const url of [`https://${host}/${stage}${target}`, `https://${host}${target}`]) await expectStatus(200, url);
  await expectStatus(401, `https://${host}${target}`, 'another secret');
  await expectStatus(401, `https://other.example${target}`);
  await support(['token', 'rekey', '--secret', secret]);
  await expectStatus(200, `https://${host}${target}`);
}
