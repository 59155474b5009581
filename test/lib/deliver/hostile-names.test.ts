import { deliverDue } from '../../../lib/deliver/deliver.ts';
import { routes } from '../../../lib/routes.ts';
import { testDeliverer } from '../../support/mail/deliverer.ts';
import { openMailbox } from '../../support/mail/mailbox.ts';
import { importRecords } from '../../support/service/import.ts';
import { startService } from '../../support/service/service.ts';

const mailbox = await openMailbox();
afterAll(() => mailbox.close());
const MANAGER = 'business-manager@test.example';
const HOSTILE = 'A\r\nBcc: victim@evil.example\r\n\r\n<img src=x onerror=alert(1)><!--way-out-->"&\u2028\u0000';

describe('a mail of names that are hostile', () => {
  it('has no header, no element and no line of them', async () => {
    const { ask, table, site, now, clock } = await startService(routes, {
      roles: ['Administrator', 'Business Manager'],
    });
    now.at = Date.parse('2026-03-01T12:00:00Z');
    const channel = { type: 'channel', id: 1, name: HOSTILE };
    const created = { type: 'case.created', id: '1', at: '2026-03-01T12:30:00Z', case: '1', channel: 1 };
    const time = { last: 1, unit: 'day', window_size: 'none' };
    const request = { fields: ['case_creates'], time, dimension1: 'channel' };
    const save = async (name: string, body: object): Promise<number> =>
      (await ask('POST', '/api/v2/saved_reports', { body: { name, request: body } })).body.id;
    const table1 = await save(HOSTILE, request);
    const number = await save(HOSTILE, { fields: ['case_creates'], time });
    const tiles = [
      { saved_report: table1, shown_as: 'bars' },
      { saved_report: number, shown_as: 'number' },
    ];
    const board: number = (await ask('POST', '/api/v2/boards', { body: { name: HOSTILE, tiles } })).body.id;
    const usual = { recipients: [MANAGER] };
    for (const what of [{ board }, { saved_report: table1 }])
      expect((await ask('POST', '/api/v2/subscriptions', { body: { ...usual, ...what, every: 'day' } })).status).toBe(
        201,
      );
    const alert = { ...usual, name: HOSTILE, saved_report: number, comparison: 'above', bound: 0, check: 'day' };
    expect((await ask('POST', '/api/v2/alerts', { body: alert })).status).toBe(201);
    await importRecords(table, site, [channel, created]);
    now.at = Date.parse('2026-03-02T07:00:00Z');
    await deliverDue(testDeliverer(table, clock, mailbox.url));
    expect(mailbox.mails).toHaveLength(3);
    for (const mail of mailbox.mails) {
      expect(mail.envelope).toEqual([MANAGER]);
      expect([mail.bcc, mail.cc, mail.to?.length]).toEqual([undefined, undefined, 1]);
      expect(mail.headers.map(({ key }) => key)).not.toContain('bcc');
      expect(mail.subject).toMatch(/^(Alert: )?A Bcc: victim@evil\.example <img/);
      expect(mail.html).toContain('&lt;img');
      expect(mail.html).not.toMatch(/<img|<script|onerror=alert\(1\)>[^&]|<!--way-out-->/);
      expect(mail.html?.match(/Stop these mails to me/g)).toHaveLength(1);
      expect(mail.text).not.toMatch(/^Bcc:/m);
    }
    expect(mailbox.mails.flatMap(({ attachments }) => attachments.map(({ filename }) => filename))).toEqual(
      expect.arrayContaining([expect.stringMatching(/^1-[a-z0-9-]+\.csv$/)]),
    );
  });
});
