import type { Page } from 'playwright-core';
import { findFaults, said, settle, signIn, visit, type Watched } from '../support/service/browser.ts';
import { api } from '../support/service/console-api.ts';
import { served, serveInBrowser } from '../support/service/console-service.ts';
import { describeInBrowser } from '../support/service/in-browser.ts';

const POLICIES = '/api/v2/sla_policies';

async function open(part = '', options: Parameters<typeof visit>[2] = {}, login?: string): Promise<Watched> {
  const watched = await visit(served.browser(), `${served.service().url}/console/settings/promises${part}`, options);
  await signIn(watched.page, login === undefined ? {} : { login });
  await settle(watched.page);
  return watched;
}

interface Policy {
  readonly id: number;
  readonly name: string;
  readonly position: number | null;
}

const stored = async (): Promise<readonly Policy[]> =>
  Object(await (await api(`${POLICIES}?per_page=1000`)).json())._embedded.entries;
const named = async (name: string): Promise<Policy> => {
  const found = (await stored()).find((each) => each.name === name);
  if (found === undefined) throw new Error(`no policy ${name}`);
  return found;
};
const listed = (page: Page): Promise<string[]> => page.locator('.thing h2').allTextContents();
const time = (page: Page, place: number) => page.getByRole('group', { name: `Time ${place}` });

describeInBrowser('the promises', () => {
  serveInBrowser();

  it('say in words what is promised to whom, and are moved by keyboard', async () => {
    const { page, errors, foreign } = await open();
    expect(await listed(page)).toEqual(['Northwind Cycles', 'Everybody']);
    const [first, second] = [page.locator('.thing').nth(0), page.locator('.thing').nth(1)];
    expect(await first.innerText()).toContain('First response within 1 hour of working time');
    expect(await second.innerText()).toContain('For all cases that no policy above is for.');
    expect(await second.innerText()).toContain('Resolution within 3 days');
    await page.getByRole('button', { name: 'Move Everybody earlier' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Everybody: place 1 of 2.').waitFor();
    await settle(page);
    expect(await listed(page)).toEqual(['Everybody', 'Northwind Cycles']);
    await page.reload();
    await settle(page);
    expect(await listed(page)).toEqual(['Everybody', 'Northwind Cycles']);
    await page.getByRole('button', { name: 'Move Everybody later' }).click();
    await page.getByText('Everybody: place 2 of 2.').waitFor();
    await settle(page);
    expect([errors, foreign]).toEqual([[], []]);
    await page.context().close();
  });

  it('are added, filled, refused at their fields, saved as the API has them, and removed', async () => {
    const { page, errors } = await open();
    await page.getByRole('button', { name: 'New SLA policy' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('<i>Gold</i>');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByText('These cases have no targets.').waitFor();
    const save = page.getByRole('button', { name: 'Save' });

    await page.getByRole('button', { name: 'Filter' }).click();
    const filter = page.getByRole('dialog', { name: 'Filter' });
    await filter.getByLabel('Filter', { exact: true }).selectOption({ label: 'Channel' });
    await filter.getByRole('button', { name: 'Chat' }).click();
    await filter.getByRole('button', { name: 'Add filter' }).click();
    for (let count = 0; count < 2; count += 1) await page.getByRole('button', { name: 'Add a time' }).click();
    await time(page, 2).getByLabel('Target').selectOption('First response');
    await time(page, 2).getByLabel('Within').fill('90');
    await time(page, 2).getByLabel('Unit').selectOption('minutes');
    await time(page, 2).getByLabel('Counted').selectOption('In working hours');
    await time(page, 2).getByRole('button', { name: '9', exact: true }).click();
    await time(page, 2).getByRole('button', { name: '10', exact: true }).click();
    await time(page, 2).getByText('This never applies').waitFor();
    await page
      .getByRole('button', {
        name: 'Move First response within 90 minutes of working time, for priorities 9, 10 earlier',
      })
      .click();
    await page.getByText('This never applies').waitFor({ state: 'detached' });

    await time(page, 2).getByLabel('Within').fill('soon');
    await save.click();
    await time(page, 2).getByText('The time is a number from 0 to 100 years.').waitFor();
    await time(page, 2).getByLabel('Within').fill('999999999');
    await save.click();
    await time(page, 2).getByText('The time is a number from 0 to 100 years.').waitFor();
    await page.getByLabel('Name').fill(' ');
    await time(page, 2).getByLabel('Within').fill('2');
    await time(page, 2).getByLabel('Unit').selectOption('days');
    await save.click();
    await page.getByText('name is missing or blank').waitFor();
    expect(await page.locator('.fault').count()).toBe(1);
    await page.getByLabel('Name').fill('<i>Gold</i>');
    await save.click();
    await said(page, 'Saved.');
    expect(await named('<i>Gold</i>')).toMatchObject({
      ...{ position: null, filters: [[['Include', 'Channels', 'Is', '', false, [{ id: '2' }]]]] },
      targets: [
        { metric: 'first_response', priorities: [9, 10], seconds: 5_400, hours: 'business' },
        { metric: 'first_response', priorities: null, seconds: 172_800, hours: 'calendar' },
      ],
    });

    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await said(page, 'Deleted.');
    await settle(page);
    expect([await listed(page), errors]).toEqual([['Northwind Cycles', 'Everybody'], []]);
    await page.context().close();
  });

  it('ask before changes are lost, and overwrite nobody’s unasked', async () => {
    const { page } = await open();
    await page.getByRole('link', { name: 'Everybody' }).click();
    await time(page, 1).getByLabel('Within').fill('80');
    await page.getByRole('link', { name: 'Working hours' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
    expect(await time(page, 1).getByLabel('Within').inputValue()).toBe('80');
    const { id } = await named('Everybody');
    const theirs = await api(`${POLICIES}/${id}`, {
      ...{ method: 'PATCH', headers: { 'Content-Type': 'application/json' } },
      body: JSON.stringify({ name: 'All others' }),
    });
    expect(theirs.status).toBe(200);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody else changed this meanwhile').waitFor();
    expect(await page.getByRole('row', { name: 'Targets' }).innerText()).toContain('within 80 minutes');
    await page.getByRole('button', { name: 'Save mine over it' }).click();
    await said(page, 'Saved.');
    expect((await named('Everybody')).id).toBe(id);
    await page.context().close();
  });

  it('are made by keyboard alone, and Enter in a filter saves nothing', async () => {
    const { page } = await open();
    const reach = async (label: string): Promise<void> => {
      for (let presses = 0; presses < 80; presses += 1) {
        await page.keyboard.press('Tab');
        const said = await page.evaluate(
          "(({ labels, textContent }) => labels?.[0]?.textContent ?? textContent ?? '')(document.activeElement)",
        );
        if (said === label) return;
      }
      throw new Error(`no ${label} is reached by Tab`);
    };
    await reach('New SLA policy');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New SLA policy' }).waitFor();
    await page.keyboard.type('By keys');
    await page.keyboard.press('Enter');
    await page.getByText('These cases have no targets.').waitFor();
    await reach('+ Filter');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Filter' }).waitFor();
    await reach('Text in the name');
    await page.keyboard.type('Chat');
    await page.keyboard.press('Enter');
    await reach('Add filter');
    await page.keyboard.press('Enter');
    expect((await named('By keys')).id).toBeGreaterThan(0);
    expect(await named('By keys')).toMatchObject({ filters: null });
    await reach('Add a time');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+Tab'); // Remove
    await page.keyboard.press('Shift+Tab'); // the last priority
    await page.keyboard.press('Enter');
    await reach('Save');
    await page.keyboard.press('Enter');
    await said(page, 'Saved.');
    expect(await named('By keys')).toMatchObject({
      filters: [[['Include', 'Channels', 'Contains', 'Chat', false, []]]],
      targets: [{ metric: 'first_response', priorities: [10], seconds: 14_400, hours: 'calendar' }],
    });
    expect((await api(`${POLICIES}/${(await named('By keys')).id}`, { method: 'DELETE' })).status).toBe(204);
    await page.context().close();
  });

  it('are an Administrator’s to change', async () => {
    const { page } = await open('', {}, 'content-manager@demo.example');
    await page.getByText('Only an Administrator changes this.').waitFor();
    expect(await page.getByRole('link', { name: 'SLA' }).count()).toBe(0);
    await page.context().close();
  });

  it.each([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['forced colours', { forcedColors: 'active' }],
    ['narrow', { viewport: { width: 320, height: 700 } }],
    ['at 200 %', { viewport: { width: 640, height: 430 }, deviceScaleFactor: 2 }],
  ] as const)(
    'has nothing that axe finds wrong in a form, and scrolls in no two directions: %s',
    async (mode, options) => {
      const { page } = await open('', options);
      await page.getByRole('link', { name: 'Northwind Cycles' }).click();
      await time(page, 3).waitFor();
      await settle(page);
      expect(await findFaults(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await page.screenshot({ path: `screenshots/settings-promise-${mode}.png`, fullPage: true });
      await page.context().close();
    },
  );
});
