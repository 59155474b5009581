import type { Locator, Page } from 'playwright-core';
import { findFaults, said, settle, signIn, visit, type Watched } from '../support/service/browser.ts';
import { api, loadCases } from '../support/service/console-api.ts';
import { served, serveInBrowser } from '../support/service/console-service.ts';
import { describeInBrowser } from '../support/service/in-browser.ts';

type Options = Parameters<typeof visit>[2];

async function open(part: string, options: Options = {}, login?: string): Promise<Watched> {
  const url = `${served.service().url}/console/settings${part}`;
  const watched = await visit(served.browser(), url, options);
  await signIn(watched.page, login === undefined ? {} : { login });
  await settle(watched.page);
  return watched;
}

const rowOf = (page: Page, login: string) => page.locator('.people li, tr').filter({ hasText: login });
const inSight = (page: Page, locator: Locator): Promise<boolean> =>
  locator
    .boundingBox()
    .then((box) => box !== null && box.x >= 0 && box.x + box.width <= (page.viewportSize()?.width ?? 0));
const shownOnce = async (page: Page): Promise<string> => {
  const secret = String(await page.locator('code.secret').textContent());
  await page.getByRole('button', { name: 'Done' }).click();
  return secret;
};
const MODES: Readonly<Record<string, Options>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'forced colours': { forcedColors: 'active' },
  narrow: { viewport: { width: 320, height: 700 } },
  'at 200 %': { viewport: { width: 640, height: 430 }, deviceScaleFactor: 2 },
};
const PARTS = ['', '/site', '/users', '/hours', '/promises', '/desk', '/sources', '/tokens'];

describeInBrowser('the settings', () => {
  serveInBrowser();

  it('add a user, who signs in with the password that is shown once, is changed and removed', async () => {
    const { page, errors, foreign } = await open('/users');
    const login = 'ann@acme.example';
    const name = '<img src=x onerror="document.title=\'hit\'"> Ann';
    await page.getByRole('button', { name: 'Add a user' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a user' });
    await dialog.getByLabel('Login').fill('two:words');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('A login has neither blanks nor colons.').waitFor(); // at the control that it is about
    await dialog.getByLabel('Login').fill(login);
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Role').selectOption('Workflow Manager');
    await dialog.getByRole('button', { name: 'Create' }).click();
    const password = await shownOnce(page);
    await rowOf(page, login).waitFor();
    expect(await rowOf(page, login).getByRole('heading').textContent()).toBe(name);

    const theirs = await visit(served.browser(), `${served.service().url}/console/settings`);
    await signIn(theirs.page, { login, password });
    await settle(theirs.page);
    expect(await theirs.page.getByRole('link', { name: 'Users' }).count()).toBe(0);
    await page.reload();
    await page.getByRole('button', { name: `Change: ${login}` }).click();
    await page.getByRole('dialog').getByLabel('Role').selectOption('Content Manager');
    await page.getByRole('button', { name: 'Save' }).click();
    await rowOf(page, login).filter({ hasText: 'Content Manager' }).waitFor();

    await page.getByRole('button', { name: `New password: ${login}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'New password' }).click();
    expect(await shownOnce(page)).not.toBe(password);
    await theirs.page.getByRole('link', { name: 'Topics' }).click();
    await theirs.page.getByText('Your session has ended').waitFor();

    await page.getByRole('button', { name: `Remove: ${login}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await rowOf(page, login).waitFor({ state: 'detached' });
    expect([errors, foreign, await page.title()]).toEqual([[], [], 'Settings · Support console']);
    await theirs.page.context().close();
    await page.context().close();
  });

  it('remove a source, after a question that says what goes', async () => {
    await loadCases('spring', ['S-1', 'S-2']);
    const { page, errors, foreign } = await open('/sources', { viewport: { width: 380, height: 700 } });
    const row = page.getByRole('row', { name: /^spring/ });
    expect(await inSight(page, row.getByRole('button', { name: 'Remove: spring' }))).toBe(true);
    const ask = async () => {
      await row.getByRole('button', { name: 'Remove: spring' }).click();
      return page.getByRole('dialog', { name: 'Remove “spring”? 2 events in 2 cases go' });
    };
    await (await ask()).getByRole('button', { name: 'Cancel' }).click();
    await (await ask()).getByRole('button', { name: 'Remove' }).click();
    await row.filter({ hasText: 'being removed' }).waitFor();
    await row.waitFor({ state: 'detached' });
    const sources: { readonly name: string }[] = Object(await (await api('/api/v2/sources')).json())._embedded.entries;
    expect(sources.map(({ name }) => name)).not.toContain('spring');
    expect((await api('/api/v2/insights3/cases/S-1')).status).toBe(404);
    const [entry] = Object(await (await api('/api/v2/audit?resource=sources')).json())._embedded.entries;
    expect(entry).toMatchObject({ action: 'delete', resource: 'sources/spring', user: 'administrator@demo.example' });
    expect([errors, foreign, await findFaults(page)]).toEqual([[], [], []]);
    await page.context().close();
  });

  it('tell on whose clocks working hours are', async () => {
    const { page } = await open('/hours');
    await page.getByRole('button', { name: 'New calendar' }).click();
    const zone = page.getByLabel('Time zone').last();
    await zone.waitFor();
    await page
      .getByText(`The hours and holidays below are on the clocks of ${await zone.inputValue()}.`)
      .last()
      .waitFor();
    await zone.fill('Asia/Tokyo');
    await page.getByText('The hours and holidays below are on the clocks of Asia/Tokyo.').waitFor();
    await page.context().close();
  });

  it('say why a source without a name cannot be removed', async () => {
    const { page } = await open('/sources'); // the demo site has events without a source
    const row = page.getByRole('row', { name: /^\(without a name\)/ });
    await row.waitFor();
    expect(await row.getByRole('button').count()).toBe(0);
    await page.getByText('cannot be removed as one.').waitFor();
    await page.context().close();
  });

  it('have a menu on a phone that takes little height, with the page of now in sight', async () => {
    const { page } = await open('', { viewport: { width: 380, height: 700 } });
    expect(await page.evaluate("document.querySelector('.side').offsetHeight")).toBeLessThan(110);
    const nav = page.getByRole('navigation', { name: 'Pages' });
    for (const name of ['Settings', 'Overview', 'Macros']) {
      const link = nav.getByRole('link', { name, exact: true });
      await link.click();
      await settle(page);
      expect([name, await link.getAttribute('aria-current'), await inSight(page, link)]).toEqual([name, 'page', true]);
    }
    await page.context().close();
  });

  it('keep the last Administrator, and say why', async () => {
    const { page } = await open('/users');
    await page.getByRole('button', { name: 'Remove: administrator@demo.example' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('is the last Administrator who can sign in').waitFor();
    expect((await api('/api/v2/users/me')).status).toBe(200);
    await page.context().close();
  });

  it('change the site by keyboard alone, warn of a new rating scale, and say what is wrong at its control', async () => {
    const { page } = await open('/site');
    const reach = async (label: string): Promise<void> => {
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press('Tab');
        const said = await page.evaluate(
          "(({ labels, textContent }) => labels?.[0]?.textContent ?? textContent ?? '')(document.activeElement)",
        );
        if (said === label) return;
      }
      throw new Error(`no ${label} is reached by Tab`);
    };
    await reach('Time zone');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('Europe/Atlantis');
    await reach('Ratings');
    await page.keyboard.press('Y');
    await page
      .getByText(/^Ratings of [\d,]+ cases stay as they are, and will be read as ratings of the new scale/)
      .waitFor();
    await reach('Address of a case in your help desk');
    await page.keyboard.type('javascript:alert({case})');
    await reach('Save');
    await page.keyboard.press('Enter');
    await page.getByText('It is no address of a case').waitFor();
    expect(await page.locator('.fault').count()).toBe(2);
    await page.getByLabel('Time zone').fill('Europe/Berlin');
    await page.getByLabel('Address of a case').fill('https://help.example/tickets/{case}');
    await page.getByLabel('Reports are counted by').selectOption('scan');
    await page.getByText('The service reads the history itself.').waitFor();
    await page.getByLabel('Reports are counted by').selectOption('warehouse');
    await page.getByText('The service needs one.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('engine cannot be warehouse: there is none to count reports.').waitFor();
    await page.getByLabel('Reports are counted by').selectOption('scan');
    await page.getByRole('button', { name: 'Save' }).click();
    await said(page, 'Saved.');
    const site = Object(await (await api('/api/v2/site')).json());
    expect(site).toMatchObject({
      ...{
        time_zone: 'Europe/Berlin',
        rating: 'yes_no',
        engine: 'scan',
        case_url: 'https://help.example/tickets/{case}',
      },
    });
    await page.context().close();
  });

  it('make and end one’s own tokens, which are shown once, and change one’s own password', async () => {
    const login = 'agent@demo.example';
    const { page } = await open('', {}, login);
    expect(await page.getByRole('navigation', { name: 'Settings' }).count()).toBe(0);
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Name of the token').fill('nightly');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    const token = await shownOnce(page);
    const status = async () =>
      (await api('/api/v2/users/me', { headers: { Authorization: `Bearer ${token}` } })).status;
    expect(await status()).toBe(200);
    await page.getByRole('button', { name: 'End it: nightly' }).click();
    await rowOf(page, 'nightly').waitFor({ state: 'detached' });
    expect(await status()).toBe(401);
    await page.getByLabel('Current password').fill('not the password');
    await page.getByLabel('New password').fill('quite another password');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('current_password is not your password.').waitFor();
    await page.context().close();
  });

  it('take holidays from an .ics file, after they were looked at; and no file of 10 MB', async () => {
    const { page, errors } = await open('/hours');
    await page.getByRole('button', { name: 'New calendar' }).click();
    await settle(page);
    const file = page.getByLabel('Add holidays from an .ics file').last();
    const give = (name: string, content: string) =>
      file.setInputFiles({ name, mimeType: 'text/calendar', buffer: Buffer.from(content) });
    await give('large.ics', `BEGIN:VCALENDAR\n${'X'.repeat(10 * 1024 * 1024)}`);
    await page.getByText('large.ics is larger than 1 MB').waitFor();
    await give('picture.ics', 'GIF89a');
    await page.getByText('picture.ics is no calendar file').waitFor();
    const event = (name: string, more: string) => `BEGIN:VEVENT\nSUMMARY:${name}\n${more}\nEND:VEVENT\n`;
    const content = [
      event('<b>Day</b>\\nX: y', 'DTSTART;VALUE=DATE:20260501'),
      event('Standup', 'DTSTART;VALUE=DATE:20260105\nRRULE:FREQ=WEEKLY'),
    ];
    await give('days.ics', `BEGIN:VCALENDAR\n${content.join('')}END:VCALENDAR\n`);
    await page.getByText('1 holiday added to the list').waitFor();
    await page.getByText('Left out: Standup, which repeats by a rule that is not yearly').waitFor();
    await page
      .getByLabel('Monday')
      .or(page.getByLabel('Mon', { exact: true }))
      .last()
      .fill('17:00-09:00');
    const form = page.locator('form.editor').last();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Write the hours of the day as').waitFor();
    await page.getByLabel('Mon', { exact: true }).last().fill('08:00-12:00, 13:00-17:00');
    await form.getByRole('button', { name: 'Save' }).click();
    await said(page, 'Saved.');
    const { entries } = Object(await (await api('/api/v2/calendars')).json())._embedded;
    expect(entries.at(-1)).toMatchObject({
      hours: {
        mon: [
          ['08:00', '12:00'],
          ['13:00', '17:00'],
        ],
        tue: [['09:00', '17:00']],
      },
      holidays: [{ date: '2026-05-01', name: '<b>Day</b> X: y' }],
    });
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it.each([
    ['de-DE', '25.12.2026', '24.12.2026..31.12.2026', '12/25/2026'],
    ['en-US', '12/25/2026', '12/24/2026..12/31/2026', '25.12.2026'],
  ])(
    'take holidays as a browser of %s writes days, and name the line that is none',
    async (locale, day, days, other) => {
      const { page } = await visit(served.browser(), `${served.service().url}/console/settings/hours`, { locale });
      await signIn(page);
      await settle(page);
      const form = page.locator('form.editor').first();
      const holidays = form.getByLabel('Holidays', { exact: true });
      await form.getByText(`One on each line: ${day} Christmas`).waitFor();
      await holidays.fill(`${day} Christmas\n\n${other} Not here`);
      await form.getByRole('button', { name: 'Save' }).click();
      await form
        .getByText(`Line 3, “${other} Not here”, begins with no day of the calendar: write days as ${day}.`)
        .waitFor();
      expect(await form.getByText('holidays[').count()).toBe(0);
      expect(await findFaults(page)).toEqual([]);
      await holidays.fill(`${day} Christmas\n\n${days}`);
      await form.getByRole('button', { name: 'Save' }).click();
      await said(page, 'Saved.');
      const { entries } = Object(await (await api('/api/v2/calendars')).json())._embedded;
      expect(entries[0].holidays).toEqual([
        { date: '2026-12-25', name: 'Christmas' },
        { from: '2026-12-24', to: '2026-12-31' },
      ]);
      await page.reload();
      await settle(page);
      expect(await holidays.inputValue()).toBe(`${days}\n${day} Christmas`);
      await page.context().close();
    },
  );

  it('draw the week that is typed, also in words, and say whose cases go by it', async () => {
    const { page, errors } = await open('/hours');
    const form = page.locator('form.editor').first();
    const drawn = form.locator('figure.drawn-week');
    const monday = form.getByLabel('Mon', { exact: true });
    await monday.fill('');
    const before = await drawn.locator('rect').count();
    await monday.fill('06:00-12:00, 13:00-18:00');
    expect(await drawn.locator('rect').count()).toBe(before + 2);
    expect(await drawn.locator('rect').first().getAttribute('x')).toBe('360');
    expect(await drawn.getByRole('listitem').first().textContent()).toBe('Mon: 06:00-12:00, 13:00-18:00');
    await monday.fill('06:00-12:00, 13:');
    expect(await drawn.locator('rect').count()).toBe(before + 1);
    await monday.fill('00:00-24:00');
    const group = form.getByRole('group', { name: 'The groups whose cases go by this calendar' });
    const box = group.getByRole('checkbox').first();
    await box.setChecked(!(await box.isChecked()));
    const ticked = await group.getByRole('checkbox', { checked: true }).count();
    await form.getByRole('button', { name: 'Save' }).click();
    await said(page, 'Saved.');
    const { entries } = Object(await (await api('/api/v2/calendars')).json())._embedded;
    expect(entries[0].hours.mon).toEqual([['00:00', '24:00']]);
    expect(entries[0].groups).toHaveLength(ticked);
    expect([await findFaults(page), errors]).toEqual([[], []]);
    await page.context().close();
  });

  it.each(Object.entries(MODES))(
    'has nothing that axe finds wrong, and scrolls in no two directions: %s',
    async (mode, options) => {
      const { page } = await open('', options);
      for (const part of PARTS) {
        await page.locator('nav.tabs a').nth(PARTS.indexOf(part)).click();
        await settle(page);
        expect([part, await findFaults(page)]).toEqual([part, []]);
        expect([part, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([part, true]);
        await page.screenshot({
          path: `screenshots/settings${part.replace('/', '-')}-${mode}.png`,
          fullPage: true,
        });
      }
      await page.context().close();
    },
  );
});
