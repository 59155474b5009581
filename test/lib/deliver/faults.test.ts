import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Deliverer, deliverDue } from '../../../lib/deliver/deliver.ts';
import { DELIVERY_MS } from '../../../lib/deliver/delivery.ts';
import { routes } from '../../../lib/routes.ts';
import { deafTable, dyingTable, strikes, watchedTable } from '../../support/faults/faulty-table.ts';
import { STRIDE, some } from '../../support/generators/depth.ts';
import { testDeliverer } from '../../support/mail/deliverer.ts';
import { openMailbox } from '../../support/mail/mailbox.ts';
import { importRecords } from '../../support/service/import.ts';
import { ownProgram } from '../../support/service/own-program.ts';
import { startService } from '../../support/service/service.ts';

const SLOW = 20; // ms that the mail server takes, so that a death lies in a mail
const mailbox = await openMailbox({ onMailFrom: (_address, _session, done) => setTimeout(done, SLOW) });
afterAll(() => mailbox.close());
const DAY = 86_400_000; // ms
const LEASE_MS = DELIVERY_MS + 1_000; // after which another run takes what a dead one had
const recipients = ['business-manager@test.example', 'workflow-manager@test.example'];

/** A site with a daily subscription and an alert, whose mails go to the two of them. */
async function withMails() {
  const service = await startService(routes, { roles: ['Administrator', 'Business Manager', 'Workflow Manager'] });
  const { ask, table, site, now } = service;
  now.at = Date.parse('2026-03-01T12:00:00Z');
  const time = { last: 1, unit: 'day', window_size: 'none' };
  const body = { name: 'Cases', request: { fields: ['case_creates'], time } };
  const saved_report = (await ask('POST', '/api/v2/saved_reports', { body })).body.id;
  const alert = { name: 'Many', saved_report, comparison: 'above', bound: 0, check: 'day' };
  for (const [path, fields] of [
    ['subscriptions', { saved_report, every: 'day' }],
    ['alerts', alert],
  ] as const)
    expect((await ask('POST', `/api/v2/${path}`, { body: { ...fields, recipients } })).status).toBe(201);
  await importRecords(table, site, [{ type: 'case.created', id: '1', at: '2026-03-01T13:00:00Z', case: '1' }]);
  now.at += DAY;
  return service;
}

/** What arrived: how many mails there are by `Message-ID`, and for whom and what each is. */
function arrived() {
  const byId = new Map(mailbox.mails.map((mail) => [mail.messageId, mail]));
  const kinds = [...byId.values()].map(({ envelope, subject }) => `${subject?.slice(0, 5)} ${envelope[0]}`);
  return { kinds: kinds.sort(), repeated: mailbox.mails.length - byId.size };
}
const EACH = ['Alert', 'Cases'].flatMap((subject) => recipients.map((login) => `${subject} ${login}`));

/** The number of writes of a run in which nothing fails. */
async function writesOfRun(): Promise<number> {
  const { table, clock } = await withMails();
  let writes = 0;
  const counted = watchedTable(table, async () => {
    writes += 1;
  });
  await deliverDue({ ...testDeliverer(table, clock, mailbox.url), table: counted });
  return writes;
}

beforeEach(() => {
  mailbox.mails.length = 0;
});

describe.each([
  ['is killed before', dyingTable],
  ['hears nothing of', deafTable],
])('a run that %s any one of its writes', (_, faulty) => {
  it('leaves each mail to be sent once, and repeats one at most, with its Message-ID', async () => {
    const most = await writesOfRun();
    expect(most).toBeGreaterThan(10);
    let repeats = 0;
    for (let writes = 0; writes < most; writes += STRIDE) {
      const { table, clock, now } = await withMails();
      mailbox.mails.length = 0;
      const run = (more: Partial<Deliverer>) => deliverDue({ ...testDeliverer(table, clock, mailbox.url), ...more });
      await strikes(() => run({ table: faulty(table, writes) })); // what fails of one delivery holds up no other
      now.at += LEASE_MS;
      await run({});
      await run({});
      const { kinds, repeated } = arrived();
      expect(kinds).toEqual(EACH);
      expect(repeated).toBeLessThanOrEqual(1);
      repeats += repeated;
    }
    process.stdout.write(`writes: ${most}, mails repeated: ${repeats}\n`);
  });
});

describe('a process that sends, beside another, and both are killed', () => {
  it('leaves each mail to be sent once, and each death repeats one at most', async () => {
    const { table, clock, now } = await withMails();
    const send = (at: number) =>
      spawn(process.execPath, [ownProgram('test/support/faults/mail-sender.ts'), table.name, mailbox.url, String(at)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
    let deaths = 0;
    const days: string[] = [];
    for (const wait of some([0, 30, 60, 90, 120, 150, 200, 300], 2)) {
      const pair = [send(now.at), send(now.at)];
      await Promise.all(pair.map(({ stdout }) => once(stdout, 'data')));
      await sleep(wait);
      for (const child of pair) child.kill('SIGKILL');
      await Promise.all(pair.map((child) => once(child, 'close')));
      deaths += pair.length;
      days.push(...recipients);
      now.at += LEASE_MS;
      await deliverDue(testDeliverer(table, clock, mailbox.url));
      await deliverDue(testDeliverer(table, clock, mailbox.url));
      now.at += DAY - LEASE_MS;
    }
    const { kinds, repeated } = arrived();
    const begins = recipients.map((login) => `Alert ${login}`);
    const ends = recipients.map((login) => `Over: ${login}`); // no case is created on the days after
    expect(kinds).toEqual([...begins, ...days.map((login) => `Cases ${login}`), ...ends].sort());
    expect(repeated).toBeLessThanOrEqual(deaths);
    process.stdout.write(`deaths: ${deaths}, mails: ${kinds.length}, repeated: ${repeated}\n`);
  });
});
