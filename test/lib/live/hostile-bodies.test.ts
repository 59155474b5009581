import { startLiveSite } from '../../support/desks/live-site.ts';
import { startZendesk } from '../../support/desks/zendesk-desk.ts';
import { spoilt } from '../../support/generators/spoilt.ts';

describe.each([
  ['POST', '/api/v2/connections', { name: 'Desk', interval: 300, since: null, paused: false, supersedes: [] }],
  ['PATCH', '/api/v2/connections/1', { name: 'Desk', interval: 300, paused: true, webhook_secret: 'a secret' }],
  ['POST', '/api/v2/connections/1/pull', {}],
  ['POST', '/api/v2/connections/1/check', { cases: 20, case_ids: [1, 2] }],
] as const)('%s %s', (method, path, more) => {
  it('is answered by a fault, whatever stands at any place of its body', async () => {
    const site = await startLiveSite();
    const desk = await startZendesk({ now: site.now.at });
    try {
      const credentials = { login: 'ann@acme.example', token: 'right-token' };
      const body = { system: 'zendesk', url: desk.url, credentials };
      if (path !== '/api/v2/connections')
        expect((await site.ask('POST', '/api/v2/connections', { body })).status).toBe(201);
      for (const text of spoilt(method === 'PATCH' ? { ...more, credentials } : { ...body, ...more })) {
        const { status } = await site.ask(method, path, { body: text });
        expect([text, status < 500 ? 'answered' : site.logged]).toEqual([text, 'answered']);
      }
    } finally {
      await desk.close();
    }
  });
});
