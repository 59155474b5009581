import type { Page } from 'playwright-core';
import { demoLogin } from '../../infra/demo/users.ts';
import { findFaults, reach, said, settle, signIn, visit, type Watched } from '../support/service/browser.ts';
import { api, create } from '../support/service/console-api.ts';
import { served, serveInBrowser } from '../support/service/console-service.ts';
import { describeInBrowser } from '../support/service/in-browser.ts';

type Options = Parameters<typeof visit>[2];

const TIME = { last: 4, unit: 'week', window_size: 'none' };
const HOSTILE = '<img src=x onerror="document.title=\'hit\'"><style>body{display:none}</style> & "Monday"';
const ADMIN = demoLogin('Administrator');
const MODES: Readonly<Record<string, Options>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'forced colours': { forcedColors: 'active' },
  narrow: { viewport: { width: 320, height: 700 } },
  'narrow and dark': { viewport: { width: 320, height: 700 }, colorScheme: 'dark' },
  'at 200 %': { viewport: { width: 640, height: 430 }, deviceScaleFactor: 2 },
};

async function open(path: string, options: Options = {}, login = ADMIN): Promise<Watched> {
  const watched = await visit(served.browser(), `${served.service().url}/console${path}`, options);
  await signIn(watched.page, { login, keep: true });
  await settle(watched.page);
  return watched;
}

const entriesOf = async (path: string) =>
  Object(await (await api(`${path}?per_page=1000`)).json())._embedded.entries as Record<string, unknown>[];
const idIn = (page: Page): number => Number(page.url().split('/').at(-1));
const title = (page: Page): Promise<string | null> => page.getByRole('heading', { level: 1 }).textContent();

describeInBrowser('mails and alerts in the console', () => {
  serveInBrowser();
  let number: number; // a saved report that is one number
  let table: number; // one that is not, with a hostile name
  let board: number;
  beforeAll(async () => {
    const saved = (name: string, request: object) =>
      create('/api/v2/saved_reports', { name, request: { fields: ['case_creates'], time: TIME, ...request } });
    number = await saved('Created', {});
    table = await saved(HOSTILE, { dimension1: 'channel' });
    const tiles = [
      { saved_report: number, shown_as: 'number' },
      { saved_report: table, shown_as: 'bars' },
    ];
    board = await create('/api/v2/boards', { name: 'My Monday', tiles });
  });
  const subscribe = (fields: object = {}): Promise<number> =>
    create('/api/v2/subscriptions', { board, every: 'week', recipients: [ADMIN], ...fields });
  const watch = (fields: object = {}): Promise<number> =>
    create('/api/v2/alerts', {
      ...{ name: HOSTILE, saved_report: number, comparison: 'above', bound: 1, recipients: [ADMIN] },
      ...fields,
    });

  it('make a mail by keyboard alone, and say what the service lacks to send it', async () => {
    const { page, errors, foreign } = await open('/mails');
    await page.getByText('SMTP_URL, the mail server').waitFor();
    await reach(page, 'New mail');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'New mail' }).waitFor();
    await settle(page);
    await reach(page, 'What it shows');
    await page.keyboard.type('My M');
    await reach(page, 'How often');
    await page.keyboard.type('Every mo');
    await reach(page, 'On day');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('31');
    await reach(page, 'Add a recipient: To');
    await page.keyboard.press('Enter');
    await reach(page, 'Another address');
    await page.keyboard.type(ADMIN);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await reach(page, 'Create');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'My Monday', level: 1 }).waitFor();
    expect((await entriesOf('/api/v2/subscriptions')).at(-1)).toMatchObject({
      ...{ id: idIn(page), board, saved_report: null, every: 'month', day: 31, at: '07:30', recipients: [ADMIN] },
    });
    await page.getByRole('link', { name: 'All mails' }).click();
    await page.getByText(`On day 31 of every month at 07:30 · to ${ADMIN}`).waitFor();
    await page.getByText('Next: ').first().waitFor();
    expect([errors, foreign]).toEqual([[], []]);
    await page.context().close();
  });

  it('say of no report that it is deleted before the reports are read', async () => {
    const { page } = await open(`/saved/${number}`);
    await page.getByRole('heading', { name: 'Created', exact: true }).waitFor();
    let read = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      read = resolve;
    });
    await page.route(/per_page=1000/, (route) => held.then(() => route.continue()));
    await page.getByRole('link', { name: 'Mail this …' }).click();
    const shown = page.getByLabel('What it shows').locator('option:checked');
    await shown.filter({ hasText: /^…$/ }).waitFor({ state: 'attached' });
    read();
    await shown.filter({ hasText: 'Created' }).waitFor({ state: 'attached' });
    await page.context().close();
  });

  it('are filled by “Mail this” of a board and of a saved report, and changes are not lost unasked', async () => {
    const { page } = await open(`/boards/${board}`);
    await page.getByRole('link', { name: 'Mail this …' }).click();
    await page.getByLabel('What it shows').waitFor();
    await settle(page);
    const shows = (name: string): Promise<void> =>
      page.locator('option:checked').filter({ hasText: name }).waitFor({ state: 'attached' });
    await shows('My Monday');
    await page.getByLabel('How often').selectOption('Every day');
    await page.getByRole('link', { name: 'Saved reports' }).click();
    await page.getByRole('button', { name: 'Stay' }).click();
    expect(await title(page)).toBe('New mail');
    await page.getByRole('link', { name: 'Saved reports' }).click();
    await page.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('link', { name: `Mail this …: ${HOSTILE}` }).click();
    await settle(page);
    await shows(HOSTILE);
    await page.goto(`${served.service().url}/console/saved/${number}`);
    await page.getByRole('heading', { name: 'Created', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Mail this …' }).click();
    await settle(page);
    await shows('Created');
    await page.context().close();
  });

  it('say what the service refuses at the control that it is about', async () => {
    const { page } = await open(`/alerts/new?saved_report=${number}`);
    await page.getByLabel('Name').fill('   ');
    await page.getByLabel('Threshold').fill('1');
    await page.getByRole('button', { name: 'Add a recipient: To' }).click();
    await page.getByLabel('Another address').fill('stranger@acme.example');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Create' }).click();
    const recipients = page.getByRole('group', { name: 'To', exact: true });
    await recipients.getByText('The site has no user stranger@acme.example').waitFor();
    const name = page.locator('.field').filter({ has: page.getByLabel('Name') });
    expect(await name.locator('.fault').textContent()).toMatch(/^name is /i);
    await page.getByLabel('Name').fill('Many cases');
    await page.getByRole('button', { name: 'Remove stranger@acme.example' }).click();
    await page.getByRole('button', { name: 'Add a recipient: To' }).click();
    await page.getByRole('button', { name: ADMIN, exact: true }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Many cases', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('beyond the threshold of 1.').waitFor(); // the site answers one report at a time
    const { shown, shown_before, shown_range } = Object(
      await (await api(`/api/v2/alerts/${idIn(page)}/check`, { method: 'POST' })).json(),
    );
    const before = `${shown_before} in the period before`;
    await page.getByText(`The number is ${shown}, ${before}, beyond the threshold of 1.`).waitFor();
    await page.getByText(`Counted: ${shown_range}.`).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Alerts', level: 1 }).waitFor();
    expect((await entriesOf('/api/v2/alerts')).map(({ name }) => name)).not.toContain('Many cases');
    await page.context().close();
  });

  it.each(['light', 'dark'] as const)(
    'show the mail as its readers see it, and run nothing of it: %s',
    async (mode) => {
      const id = await subscribe();
      const { page, errors, foreign } = await open(`/mails/${id}`, { colorScheme: mode });
      await page.getByRole('button', { name: 'Show the mail' }).click();
      const frame = page.frameLocator('.mail-frame');
      await frame.getByRole('heading', { name: HOSTILE }).waitFor();
      const mail = Object(await (await api(`/api/v2/subscriptions/${id}/mail`, { method: 'POST' })).json());
      const untimed = (text: string | null) => text?.replace(/, \d+:\d\d [AP]M\./, '.'); // the minute may have passed
      expect(untimed(await page.locator('.mail-text').textContent())).toBe(untimed(mail.text));
      expect(await frame.locator('img, script, body style').count()).toBe(0);
      const link = frame.getByRole('link', { name: 'Open the board' });
      const colour = "getComputedStyle(document.querySelector('a.button')).backgroundColor";
      expect(await page.frames().at(-1)?.evaluate(colour)).toBe(
        mode === 'light' ? 'rgb(67, 56, 202)' : 'rgb(170, 167, 255)',
      );
      const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
      await opened.waitForURL(`**/console/boards/${board}`);
      expect(await page.locator('.mail-frame').getAttribute('sandbox')).not.toContain('allow-scripts');
      await page.locator('.mail-frame').screenshot({ path: `screenshots/mail-shown-${mode}.png` });
      expect([errors, foreign, await page.title()]).toEqual([[], [], 'Mails · Support console']);
      await page.context().close();
    },
  );

  it('say in words why nothing was sent, and who gets no more', async () => {
    const id = await subscribe({ every: 'day' });
    const gone = await create('/api/v2/saved_reports', {
      name: 'Gone',
      request: { fields: ['case_creates'], time: TIME },
    });
    const orphan = await subscribe({ board: null, saved_report: gone });
    await api(`/api/v2/saved_reports/${gone}`, { method: 'DELETE' });
    const { page } = await open('/saved');
    const told = Object(await (await api('/api/v2/deliveries')).json());
    for (const entry of told._embedded.entries)
      if (entry.subscription === id)
        Object.assign(entry, {
          ...{ state: 'failed', problem: 'There is no board 7.', sent_at: '2026-03-02T06:30:00Z' },
          ended: [{ login: ADMIN, why: 'left' }],
        });
    await page.route('**/api/v2/deliveries', (route) => route.fulfill({ json: told }));
    await page.getByRole('link', { name: 'Mails', exact: true }).click();
    const row = page.locator('.thing').filter({ hasText: 'Every day at' });
    await row.getByText('The last time: There is no board 7.').waitFor();
    await row.getByText(`${ADMIN} asked for no more of these mails.`).waitFor();
    expect(await row.locator('.tags').textContent()).toMatch(/Next: .*Last sent: Mon, Mar 2/);
    await page.locator(`a[href$="/mails/${orphan}"]`).getByText('Deleted board or report').waitFor();
    await page.context().close();
  });

  it('do not overwrite what somebody else changed meanwhile', async () => {
    const id = await subscribe();
    const { page } = await open(`/mails/${id}`);
    const at = page.getByLabel('At', { exact: true });
    await at.waitFor(); // what it shows was read before the other change
    await api(`/api/v2/subscriptions/${id}`, { method: 'PATCH', body: JSON.stringify({ at: '05:00' }) });
    await at.fill('06:15');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody else changed this meanwhile').waitFor();
    await page.getByRole('button', { name: 'Save mine over it' }).click();
    await said(page, 'Saved.');
    expect(Object(await (await api(`/api/v2/subscriptions/${id}`)).json()).at).toBe('06:15');
    await page.context().close();
  });

  it('are the own ones for others, and not for roles without reports', async () => {
    await subscribe();
    const manager = await open('/mails', {}, demoLogin('Workflow Manager'));
    await manager.page.getByRole('heading', { name: 'No mails yet' }).waitFor();
    await manager.page.context().close();
    const agent = await open('/mails', {}, demoLogin('Agent'));
    await agent.page.getByText('are not for the role Agent').waitFor();
    expect(await agent.page.getByRole('link', { name: 'Mails' }).count()).toBe(0);
    await agent.page.context().close();
  });

  it.each(Object.entries(MODES))(
    'have nothing that axe finds wrong, and scroll in no two directions: %s',
    async (mode, options) => {
      const [mail, alert] = [await subscribe({ board: null, saved_report: table }), await watch()];
      const { page, errors } = await open('/mails', options);
      const paths = ['/mails', '/mails/new', `/mails/${mail}`, '/alerts', '/alerts/new', `/alerts/${alert}`];
      for (const path of paths) {
        await page.goto(`${served.service().url}/console${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await settle(page);
        for (const button of await page.getByRole('button', { name: /^(Show the mail|Check now)$/ }).all()) {
          await button.click();
          await page.locator('.mail-frame, section .notice').waitFor();
          await settle(page);
        }
        expect([path, await findFaults(page)]).toEqual([path, []]);
        expect([path, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([path, true]);
        const name = path.replaceAll('/', '-').replace(/\d+/, 'one');
        await page.screenshot({ path: `screenshots/mails${name}-${mode}.png`, fullPage: true });
      }
      expect([errors, await page.evaluate('document.title')]).toEqual([[], 'Alerts · Support console']);
      await page.context().close();
    },
    120_000,
  );
});
