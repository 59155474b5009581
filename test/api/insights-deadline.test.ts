import { routes } from '../../lib/routes.ts';
import { exampleSites } from '../support/service/example-site.ts';
import { itInProcess, startService } from '../support/service/service.ts';

const STEP = 40; // ms that pass at each look at the clock

itInProcess('a report with many conditions looks at its deadline while it goes through them', async () => {
  const service = await startService(routes);
  const [example] = await exampleSites(service, 1, 7);
  let looks = 0;
  const clock = () => service.now.at + STEP * looks++;
  const ask = service.again({ clock });
  const condition = ['Exclude', 'Labels', 'Contains', 'no such label', false, []];
  const body = (conditions: number) => ({ ...example?.body, filters: [Array(conditions).fill(condition)] });
  const sent = { host: example?.host ?? '' };
  expect((await ask('POST', '/api/v2/insights3/reports', { ...sent, body: body(1) })).status).toBe(200);
  const reply = await ask('POST', '/api/v2/insights3/reports', { ...sent, body: body(1000) });
  expect([reply.status, reply.body]).toEqual([503, { message: 'Service Unavailable' }]);
});
