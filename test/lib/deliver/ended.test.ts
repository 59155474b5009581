import { randomUUID } from 'node:crypto';
import { noteBounce } from '../../../lib/deliver/bounce.ts';
import { deliverDue } from '../../../lib/deliver/deliver.ts';
import { routes } from '../../../lib/routes.ts';
import { deafTable, dyingTable, strikes } from '../../support/faults/faulty-table.ts';
import { testDeliverer } from '../../support/mail/deliverer.ts';
import { openMailbox } from '../../support/mail/mailbox.ts';
import { startService } from '../../support/service/service.ts';

const DAY = 86_400_000; // ms
const BEGIN = Date.parse('2026-03-01T12:00:00Z');
const [OTHER, MANAGER] = ['workflow-manager@test.example', 'business-manager@test.example'] as const;
const mailbox = await openMailbox();
afterAll(() => mailbox.close());

/** A site whose two subscriptions and one alert go to two people. */
async function withMails() {
  mailbox.mails.length = 0;
  mailbox.refusals.clear();
  const service = await startService(routes, { roles: ['Administrator', 'Business Manager', 'Workflow Manager'] });
  const { ask, table, site, now, clock } = service;
  now.at = BEGIN;
  const time = { last: 1, unit: 'day', window_size: 'none' };
  const body = { name: 'Cases', request: { fields: ['case_creates'], time } };
  const saved_report = (await ask('POST', '/api/v2/saved_reports', { body })).body.id;
  const recipients = [OTHER, MANAGER];
  const daily = { saved_report, every: 'day', recipients };
  const first = (await ask('POST', '/api/v2/subscriptions', { body: daily })).body.id;
  await ask('POST', '/api/v2/subscriptions', { body: { ...daily, at: '08:00' } });
  await ask('POST', '/api/v2/alerts', {
    body: { name: 'Few', saved_report, comparison: 'below', bound: 1, check: 'day', recipients },
  });
  const tools = { table, clock, newId: randomUUID };
  return {
    ...{ ...service, tools, first },
    /** Lets a day pass; returns the addresses that mails went to. */
    async day(): Promise<string[]> {
      now.at += DAY;
      const before = mailbox.mails.length;
      await deliverDue(testDeliverer(table, clock, mailbox.url));
      return mailbox.mails.slice(before).flatMap(({ envelope }) => envelope);
    },
    /** An event of SES of a mail to an address, as EventBridge brings it. */
    event: (to: string, what: object, sent = now.at) => ({
      source: 'aws.ses',
      detail: {
        mail: { timestamp: new Date(sent).toISOString(), destination: [to], tags: { site: [site.name] } },
        ...what,
      },
    }),
    /** Who gets nothing more, and why, of each subscription and alert. */
    ended: async (): Promise<object[]> =>
      (await ask('GET', '/api/v2/deliveries')).body._embedded.entries.map(({ ended }: { ended: object }) => ended),
    entries: async (): Promise<number> =>
      (await ask('GET', `/api/v2/audit?resource=users/${MANAGER}`)).body._embedded.entries.length,
  };
}

const HARD = { eventType: 'Bounce', bounce: { bounceType: 'Permanent', bounceSubType: 'NoEmail' } };
const SPAM = { eventType: 'Complaint', complaint: { complaintFeedbackType: 'abuse' } };
const EACH = (why: string) => [1, 2, 3].map(() => [{ login: MANAGER, why }]);

describe('an address that takes no mail', () => {
  it('gets nothing more of any subscription or alert of the site once its server refused one', async () => {
    const { day, ended, entries } = await withMails();
    mailbox.refusals.set(MANAGER, { code: 550, message: 'no such user' });
    expect(await day()).toEqual([OTHER, OTHER, OTHER]);
    expect(await ended()).toEqual(EACH('refused'));
    expect(await entries()).toBe(1);
    mailbox.refusals.clear();
    expect(await day()).toEqual([OTHER, OTHER]);
  });

  it.each([
    [550, '5.1.1 <manager>: Recipient address rejected: User unknown in local recipient table'],
    [551, 'User not local'],
  ])('is ended by %s %s', async (code, message) => {
    const { day, ended } = await withMails();
    mailbox.refusals.set(MANAGER, { code, message });
    await day();
    expect(await ended()).toEqual(EACH('refused'));
  });

  it('is not ended by a server that relays nothing, is set up wrongly or has no room: the mail is tried again', async () => {
    const { day, ended, entries } = await withMails();
    for (const [code, message] of [
      [550, '5.7.1 Unable to relay'],
      [550, 'relay not permitted'],
      [554, '5.7.1 <manager>: Relay access denied'],
      [530, '5.7.0 Authentication required'],
      [550, '5.7.509 Access denied, sending domain does not pass DMARC verification'],
      [552, '5.2.2 Mailbox full'],
      [503, '5.5.1 Bad sequence of commands'],
    ] as const) {
      mailbox.refusals.set(MANAGER, { code, message });
      expect([message, (await day()).includes(MANAGER)]).toEqual([message, false]);
    }
    expect([await ended(), await entries()]).toEqual([[[], [], []], 0]);
    mailbox.refusals.clear();
    expect((await day()).filter((to) => to === MANAGER).length).toBeGreaterThan(0);
  });

  it.each([
    ['bounced for good', 'refused', HARD],
    ['reported as spam', 'spam', SPAM],
    ['reported as spam without a kind', 'spam', { complaint: {} }],
  ])('gets nothing more once a mail was %s, until a subscription is changed', async (_, why, what) => {
    const { ask, tools, event, day, ended, entries, first, now } = await withMails();
    await day();
    await noteBounce(tools, event(MANAGER.toUpperCase(), what));
    expect(await ended()).toEqual(EACH(why));
    expect(await day()).toEqual([OTHER, OTHER]);
    now.at += 1_000;
    await ask('PATCH', `/api/v2/subscriptions/${first}`, { body: { day: 2 } });
    expect(await ended()).toEqual([[], ...EACH(why).slice(1)]);
    expect((await day()).sort()).toEqual([MANAGER, OTHER, OTHER]);
    expect(await entries()).toBe(1);
  });

  it.each([
    ['a full mailbox', { bounce: { bounceType: 'Transient', bounceSubType: 'MailboxFull' } }],
    ['a bounce of no known kind', { bounce: { bounceType: 'Undetermined', bounceSubType: 'Undetermined' } }],
    ['a report that it is no spam', { complaint: { complaintFeedbackType: 'not-spam' } }],
  ])('is none by %s', async (_, what) => {
    const { tools, event, ended, entries } = await withMails();
    await noteBounce(tools, event(MANAGER, what, BEGIN + 1));
    expect(await ended()).toEqual([[], [], []]);
    expect(await entries()).toBe(0);
  });

  it('is ended once by an event that comes again, late or beside itself', async () => {
    const { ask, tools, event, day, ended, entries, first, now } = await withMails();
    await day();
    const bounced = event(MANAGER, HARD);
    await Promise.all([1, 2, 3].map(() => noteBounce(tools, bounced)));
    now.at += 1_000;
    await ask('PATCH', `/api/v2/subscriptions/${first}`, { body: { day: 2 } });
    await noteBounce(tools, bounced);
    await noteBounce(tools, event(MANAGER, SPAM, BEGIN + 1));
    expect(await ended()).toEqual([[], ...EACH('refused').slice(1)]);
    expect(await entries()).toBe(1);
  });

  it.each([
    ['is killed before', dyingTable],
    ['hears nothing of', deafTable],
  ])('is ended once by a process that %s any one of its writes, and the next', async (_, faulty) => {
    const { tools, event, ended, entries } = await withMails();
    const bounced = event(MANAGER, HARD, BEGIN + 1);
    for (const writes of [0, 1])
      await strikes(() => noteBounce({ ...tools, table: faulty(tools.table, writes) }, bounced));
    await noteBounce(tools, bounced);
    expect(await ended()).toEqual(EACH('refused'));
    expect(await entries()).toBe(1);
  });

  it('is nothing that is kept of a site that knows nobody of the name', async () => {
    const { table, site, tools, event } = await withMails();
    await noteBounce(tools, event('nobody@test.example', HARD));
    const elsewhere = event(MANAGER, HARD);
    elsewhere.detail.mail.tags.site = ['removed'];
    await noteBounce(tools, elsewhere);
    for (const name of [site.name, 'removed']) expect(await table.query(`site#${name}#ended`)).toEqual([]);
  });
});
