import type { Built } from '../../../lib/console/built.ts';
import { createPages } from '../../../lib/console/pages.ts';
import { topicRoutes } from '../../../lib/topics/routes.ts';
import { challengeOf, startService } from '../../support/service/service.ts';

const built: Built = {
  page: '<script src="{{prefix}}/console/files/app-1.js"></script>',
  shared: '<h1>Shared</h1><script src="{{prefix}}/console/files/shared-1.js">',
  docs: '<h1>Docs</h1><a href="{{prefix}}/console">',
  files: { 'app-1.js': { type: 'text/javascript; charset=utf-8', body: 'go()' } },
};
const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const start = () => startService(topicRoutes, { wiring: { pages: createPages(async () => built) } });
const anybody = { as: null } as const;

describe('the pages of the console', () => {
  it('answers /console and all below it with the page, without credentials, under a strict policy', async () => {
    const { ask, origin } = await start();
    const stage = new URL(origin).pathname;
    for (const path of ['/console', '/console/', '/console/report?show=case_creates', '/console/topics/7']) {
      const reply = await ask('GET', path, anybody);
      expect(reply.status).toBe(200);
      expect(reply.text).toBe(`<script src="${stage}/console/files/app-1.js"></script>`);
      expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(reply.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
    }
    expect((await ask('GET', '/docs', anybody)).text).toContain('Docs');
  });

  it('lets a page send files elsewhere only where they go elsewhere', async () => {
    const page = '<meta name="uploads" content="{{uploads}}">';
    const policyAndPage = async (origin?: string) => {
      const pages = createPages(async () => ({ ...built, page }), origin);
      const { headers, text } = await (await startService(topicRoutes, { wiring: { pages } })).ask(
        'GET',
        '/console',
        anybody,
      );
      return [
        /connect-src ([^;]*)/.exec(headers['content-security-policy'] ?? '')?.[1],
        /content="(.*)"/.exec(text)?.[1],
      ];
    };
    expect(await policyAndPage()).toEqual(["'self'", 'body']);
    expect(await policyAndPage('https://files.example')).toEqual(["'self' https://files.example", 'form']);
  });

  it('answers 304 to who has the page, and lets files be kept for ever', async () => {
    const { ask } = await start();
    const { headers } = await ask('GET', '/console', anybody);
    const again = await ask('GET', '/console', { ...anybody, headers: { 'If-None-Match': headers.etag ?? '' } });
    expect([again.status, again.text]).toEqual([304, '']);
    const file = await ask('GET', '/console/files/app-1.js', anybody);
    expect([file.text, file.headers['cache-control']]).toEqual(['go()', 'public, max-age=31536000, immutable']);
  });

  it('knows no other files and no other methods', async () => {
    const { ask } = await start();
    for (const name of ['app-2.js', '../page', 'constructor', '']) {
      expect((await ask('GET', `/console/files/${name}`, anybody)).status).toBe(404);
    }
    const post = await ask('POST', '/console', anybody);
    expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});

describe('a browser that lost its way', () => {
  it('is led to the console from / and from unknown paths', async () => {
    const { ask, origin } = await start();
    for (const path of ['/', '/nothing', '/api/v2/nothing', '/consoles']) {
      const reply = await ask('GET', path, { ...anybody, headers: HTML });
      expect([reply.status, reply.headers.location]).toEqual([303, `${origin}/console`]);
    }
  });

  it('opens no window of its own where a script asks', async () => {
    const { ask } = await start();
    const asked = [{}, { 'X-Requested-With': 'support-console' }];
    const replies = await Promise.all(asked.map((headers) => ask('GET', '/api/v2/topics', { ...anybody, headers })));
    expect(replies.map((reply) => [reply.status, challengeOf(reply) !== undefined])).toEqual([
      [401, true],
      [401, false],
    ]);
  });

  it('is told apart from a program, which gets what it always got', async () => {
    const { ask } = await start();
    for (const headers of [{}, { Accept: '*/*' }, { Accept: 'application/json' }, { Accept: 'text/html;q=0' }]) {
      expect((await ask('GET', '/', { headers })).status).toBe(404);
      expect((await ask('GET', '/', { headers, as: null })).status).toBe(401);
    }
    expect((await ask('POST', '/nothing', { headers: HTML })).status).toBe(404);
    expect((await ask('GET', '/api/v2/topics', { headers: HTML })).status).toBe(200);
  });
});
