import { randomUUID } from 'node:crypto';
import { caseSubject } from '../../../lib/history/cases/subject.ts';
import { rewriteLedger } from '../../../lib/history/rewrite.ts';
import { startChatwoot } from '../../support/desks/chatwoot-desk.ts';
import { startFreshdesk } from '../../support/desks/freshdesk-desk.ts';
import { startIntercom } from '../../support/desks/intercom-desk.ts';
import { type LiveSite, startLiveSite } from '../../support/desks/live-site.ts';

const DAY = 86_400_000;
const CHECK = '/api/v2/connections/1/check';
let site: LiveSite;
beforeEach(async () => {
  site = await startLiveSite();
});

async function check() {
  expect((await site.ask('POST', CHECK, { body: {} })).status).toBe(202);
  expect(await site.pull()).toBe('done');
  return (await site.ask('GET', CHECK)).body;
}

describe('the figures of a help desk', () => {
  it.each([
    ['chatwoot', startChatwoot, { account: 4 }],
    ['freshdesk', startFreshdesk, {}],
    ['intercom', startIntercom, {}],
  ] as const)('of %s agree with ours, and show a solve that is lost', async (system, start, more) => {
    const desk = await start();
    Object.defineProperty(desk.headers, 'date', { enumerable: true, get: () => new Date(site.now.at).toUTCString() });
    desk.add(40, site.now.at - 40 * DAY, site.now.at - DAY);
    const body = { system, url: desk.url, credentials: { token: 'right-token' }, ...more };
    expect((await site.ask('POST', '/api/v2/connections', { body })).status).toBe(201);
    await site.pull();
    expect(await check()).toMatchObject({ cases: 40, unexplained: 0, repaired: 0 });
    const solved = [...(await site.events())].flatMap(([id, events]) =>
      events.some((event) => event.type === 'case.status' && event.to === 'resolved') ? [id] : [],
    );
    expect(solved.length).toBeGreaterThan(5);
    const context = { table: site.table, site: site.site, clock: site.clock, newId: randomUUID };
    await rewriteLedger(context, (subject, events) =>
      subject === caseSubject(solved[0] ?? '') ? events.filter(({ type }) => type !== 'case.status') : events,
    );
    site.now.at += 600_000;
    expect(await check()).toMatchObject({ cases: 40, unexplained: 0 });
    const events = (await site.events()).get(solved[0] ?? '') ?? [];
    expect(events.some((event) => event.type === 'case.status' && event.to === 'resolved')).toBe(true);
    await desk.close();
  });
});
