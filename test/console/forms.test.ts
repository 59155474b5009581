import type { Page } from 'playwright-core';
import { settle, signIn, visit } from '../support/service/browser.ts';
import { api, create } from '../support/service/console-api.ts';
import { served, serveInBrowser } from '../support/service/console-service.ts';
import { eventually } from '../support/service/eventually.ts';
import { hold } from '../support/service/hold.ts';
import { describeInBrowser } from '../support/service/in-browser.ts';

async function open(path: string): Promise<Page> {
  const { page } = await visit(served.browser(), `${served.service().url}/console${path}`);
  await signIn(page, { keep: true });
  await settle(page);
  return page;
}

const read = async (path: string) => Object(await (await api(path)).json());

describeInBrowser('forms and lists of the console', () => {
  serveInBrowser();

  it('keep what was chosen in a dialog that was refused', async () => {
    const page = await open('/settings/users');
    await page.getByRole('button', { name: 'Add a user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Login').fill('agent@demo.example');
    await dialog.getByLabel('Role').selectOption('Workflow Manager');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.locator('.fault, [role=alert]').first().waitFor();
    expect(await dialog.getByLabel('Role').inputValue()).toBe('Workflow Manager');
    await page.context().close();
  });

  it('take a second line of folders', async () => {
    const id = await create('/api/v2/macros', { name: 'In folders' });
    const page = await open(`/macros/${id}`);
    const folders = page.getByLabel('Folders');
    await folders.pressSequentially('First');
    await folders.press('Enter');
    await folders.pressSequentially('Second');
    expect(await folders.inputValue()).toBe('First\nSecond');
    await page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await page.getByText('Saved.').waitFor();
    expect((await read(`/api/v2/macros/${id}`)).folders).toEqual(['First', 'Second']);
    await page.context().close();
  });

  it('let a comma be taken back among languages', async () => {
    const page = await open('/settings/site');
    const languages = page.getByLabel('Languages');
    const before = await languages.inputValue();
    await languages.press('End');
    await languages.pressSequentially(',');
    await languages.press('Backspace');
    expect(await languages.inputValue()).toBe(before);
    await page.context().close();
  });

  it('take numbers as they are typed', async () => {
    const page = await open('/alerts/new');
    const bound = page.getByRole('spinbutton');
    await bound.pressSequentially('0.05');
    expect(await bound.inputValue()).toBe('0.05');
    await page.goto(`${served.service().url}/console/mails/new`);
    await page.getByLabel('How often').selectOption('month');
    const day = page.getByRole('spinbutton');
    await day.press('End');
    await day.press('Backspace');
    await day.pressSequentially('5');
    expect(await day.inputValue()).toBe('5');
    await page.context().close();
  });

  it('keep the place of somebody who types on while working hours are saved', async () => {
    const page = await open('/settings/hours');
    const form = page.locator('form.editor').first();
    const held = await hold(page, 'PATCH', '/calendars/1');
    await form.getByLabel('Mon').fill('08:00-16:00');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByLabel('Holidays', { exact: true }).pressSequentially('2027-01-01 New');
    held.release();
    await page.getByText('Saved.').waitFor();
    await page.keyboard.type(' Year');
    expect(await form.getByLabel('Holidays', { exact: true }).inputValue()).toBe('2027-01-01 New Year');
    await page.getByText('Not saved yet').waitFor();
    await page.context().close();
  });

  it('are not sent by Enter in the search of a list within them', async () => {
    const request = { fields: ['case_creates'], time: { last: 4, unit: 'week', window_size: 'week' } };
    const report = await create('/api/v2/saved_reports', { name: 'By mail', request });
    const page = await open(`/mails/new?saved_report=${report}`);
    const held = await hold(page, 'POST', '/subscriptions');
    held.release();
    await page.getByRole('button', { name: /^Add a recipient/ }).click();
    await page.getByLabel(/^Search/).fill('agent');
    await page.keyboard.press('Enter');
    await page.locator('.panel .option').first().click();
    await settle(page);
    expect(held.count()).toBe(0);
    await page.context().close();
  });

  it('show the day of a publication on the clock of the site', async () => {
    const [topic] = (await read('/api/v2/topics'))._embedded.entries;
    const article = { subject: 'At ten in the evening', topic_ids: [topic.id], publish_at: '2027-03-02T03:00:00Z' };
    await create('/api/v2/articles', { ...article, in_support_center: true });
    const page = await open('/articles?text=evening');
    await page.getByText('Mar 1, 2027, 10:00:00 PM').waitFor();
    await page.context().close();
  });

  it('show the cases again after an order that was asked for by mistake', async () => {
    const page = await open('/cases?show=case_creates&per=none&last=4w');
    const rows = page.locator('table.cases tbody tr');
    const first = await rows.first().textContent();
    const held = await hold(page, 'POST', '/insights3/cases');
    const order = page.getByLabel('Order');
    await order.selectOption('newest');
    await eventually(held.count, (value) => expect(value).toBe(1));
    await order.selectOption('oldest');
    await rows.first().waitFor();
    expect(await rows.first().textContent()).toBe(first);
    held.release();
    await settle(page);
    expect(await rows.first().textContent()).toBe(first);
    await page.context().close();
  });

  it('lead from no number that is of another report than the sentence', async () => {
    const page = await open('/report?show=case_creates&by=channel&per=none&last=4w');
    const held = await hold(page, 'POST', '/insights3/reports');
    await page.getByRole('button', { name: 'Remove Channel' }).click();
    await page.locator('.stack.stale[inert]').waitFor();
    held.release();
    await settle(page);
    expect(await page.locator('[inert]').count()).toBe(0);
    await page.context().close();
  });

  it('stay away from who has signed out while settings were read again', async () => {
    const page = await open('/settings/site');
    const held = await hold(page, 'GET', '/report_definitions', 'replies');
    await page.getByLabel('Address of a case').fill('https://help.example/{case}');
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(held.count, (value) => expect(value).toBe(1));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Password').waitFor();
    held.release();
    await settle(page);
    expect([await page.getByLabel('Password').count(), await page.getByRole('alert').count()]).toEqual([1, 0]);
    await page.context().close();
  });

  it('do not lead away who left while a file was sent', async () => {
    const page = await open('/import');
    const held = await hold(page, 'POST', '/api/v2/imports');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'few.csv', mimeType: 'text/csv', buffer: Buffer.from('id,created\n1,2026-01-01\n') });
    await eventually(held.count, (value) => expect(value).toBe(1));
    await page.getByRole('link', { name: 'Topics' }).click();
    await page.getByRole('heading', { name: 'Topics' }).waitFor();
    held.release();
    await settle(page);
    expect(new URL(page.url()).pathname).toBe('/console/topics');
    await page.context().close();
  });

  it('are found from a case that was opened in a tab of its own', async () => {
    const page = await open('/cases?show=case_creates&per=none&last=4w');
    const opening = page.context().waitForEvent('page');
    await page
      .locator('table.cases tbody th a')
      .first()
      .click({ modifiers: ['Control'] });
    const tab = await opening;
    await tab.getByRole('button', { name: 'Back' }).click();
    await tab.getByRole('heading', { name: 'Cases', level: 1 }).waitFor();
    await page.context().close();
  });

  it('keep what is typed in one action when the list of actions cannot be read again', async () => {
    const id = await create('/api/v2/macros', { name: 'Of two' });
    const list = `/api/v2/macros/${id}/actions`;
    for (const value of ['One', 'Two']) await create(list, { type: 'set-case-description', value });
    const page = await open(`/macros/${id}`);
    const actions = page.locator('ol.actions form');
    await actions.first().getByLabel('Set description').last().fill('One, changed');
    await page.route(
      ({ pathname }) => pathname === list,
      (route) => route.abort(),
    );
    await actions.last().getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alert').waitFor();
    expect(await actions.first().getByLabel('Set description').last().inputValue()).toBe('One, changed');
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await eventually(
      () => actions.count(),
      (value) => expect(value).toBe(1),
    );
    expect(await actions.first().getByLabel('Set description').last().inputValue()).toBe('One, changed');
    await page.context().close();
  });

  it('say that the topics of an article cannot be read', async () => {
    const [article] = (await read('/api/v2/articles'))._embedded.entries;
    const page = await open('/articles');
    await page.route(
      ({ pathname }) => pathname === '/api/v2/topics',
      (route) => route.abort(),
    );
    await page.getByRole('link', { name: article.subject, exact: true }).click();
    await page
      .getByRole('group', { name: /^Topics/ })
      .getByRole('alert')
      .waitFor();
    await page.context().close();
  });

  it('show a trouble for an address that nobody can read', async () => {
    const page = await open('/cases/100%');
    await page.getByRole('alert').waitFor();
    await page.context().close();
  });
});
