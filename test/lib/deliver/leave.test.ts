import { randomUUID } from 'node:crypto';
import { deliverDue } from '../../../lib/deliver/deliver.ts';
import { createLeavePage } from '../../../lib/deliver/leave.ts';
import { linkOriginOf } from '../../../lib/deliver/origin.ts';
import { routes } from '../../../lib/routes.ts';
import { testDeliverer } from '../../support/mail/deliverer.ts';
import { openMailbox } from '../../support/mail/mailbox.ts';
import { startService } from '../../support/service/service.ts';

const mailbox = await openMailbox();
afterAll(() => mailbox.close());
const DAY = 86_400_000; // ms
const { ask, again, table, site, now, clock } = await startService(routes, {
  roles: ['Administrator', 'Business Manager', 'Workflow Manager'],
});
const recipients = ['business-manager@test.example', 'workflow-manager@test.example'];
const request = { fields: ['case_creates'], time: { last: 1, unit: 'day', window_size: 'none' } };
const report = (await ask('POST', '/api/v2/saved_reports', { body: { name: 'Cases', request } })).body.id;
const { id } = (
  await ask('POST', '/api/v2/subscriptions', { body: { saved_report: report, every: 'day', recipients } })
).body;
const visit = again({ pages: createLeavePage({ table, clock, newId: randomUUID }) });
const send = async () => {
  mailbox.mails.length = 0;
  now.at += DAY;
  await deliverDue(testDeliverer(table, clock, mailbox.url));
  return mailbox.mails;
};

it.each([
  ['https://help.acme.example', ['acme.localhost'], 'https://help.acme.example'],
  ['https://help.acme.example', ['localhost', 'help.beta.example'], 'https://help.beta.example'],
  ['https://help.acme.example:8443/support/', ['HELP.beta.example'], 'https://help.beta.example:8443'],
  ['https://help.acme.example:8443/support/', ['help.acme.example'], 'https://help.acme.example:8443/support'],
])('with PUBLIC_URL %s a link to a site of the hosts %j begins with %s', (publicUrl, hosts, origin) => {
  expect(linkOriginOf(publicUrl)({ hosts })).toBe(origin);
});

describe('the way out of a mail', () => {
  it('asks a person, and takes one click of a mail client, without credentials', async () => {
    const mails = await send();
    expect(mails).toHaveLength(2);
    const mail = mails.find(({ envelope }) => envelope[0] === recipients[0]);
    const link = /List-Unsubscribe:\s*<([^>]+)>/.exec(mail?.raw.replace(/\r\n[ \t]+/g, '') ?? '')?.[1] ?? '';
    const { pathname, search } = new URL(link);
    const path = `${pathname}${search}`;
    expect(mail?.html).toContain(link.replaceAll('&', '&amp;'));
    expect(mail?.text?.replace(/\s/g, '')).toContain(link);
    const asked = await visit('GET', path, { as: null });
    expect([asked.status, asked.text]).toEqual([200, expect.stringContaining('<form method="post">')]);
    expect(asked.headers['content-security-policy']).toContain("form-action 'self'");
    expect(await send()).toHaveLength(2);
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'https://mail.example' };
    const left = await visit('POST', path, { as: null, headers, body: 'List-Unsubscribe=One-Click' });
    expect([left.status, left.text]).toEqual([200, expect.stringContaining('no more')]);
    expect((await send()).map(({ envelope }) => envelope)).toEqual([[recipients[1]]]);
    await ask('PATCH', `/api/v2/subscriptions/${id}`, { body: { at: '06:00' } });
    expect((await send()).map(({ envelope }) => envelope)).toEqual([[recipients[1]]]);
  });

  it('is known to nobody but who got the mail', async () => {
    const of = (query: Record<string, string>) => `/unsubscribe?${new URLSearchParams(query)}`;
    const right = { site: site.name, from: `subscription-${id}` };
    const wrong = [
      {},
      { ...right, key: '' },
      { ...right, key: '0'.repeat(32) },
      { ...right, from: 'subscription-999999', key: '0'.repeat(32) },
      { ...right, from: 'head', key: '' },
      { ...right, site: '../other', key: '0'.repeat(32) },
    ];
    for (const query of wrong) expect((await visit('POST', of(query), { as: null })).status).toBe(404);
    expect((await visit('DELETE', of(right), { as: null })).status).toBe(405);
  });
});
