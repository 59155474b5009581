import { readFile } from 'node:fs/promises';
import { read } from '@e965/xlsx';
import { expect, it } from '@jest/globals';
import { findFaults, settle, signIn, visit, type Watched } from '../support/service/browser.ts';
import { served, serveInBrowser } from '../support/service/console-service.ts';
import { describeInBrowser } from '../support/service/in-browser.ts';

async function open(path: string): Promise<Watched> {
  const watched = await visit(served.browser(), `${served.service().url}/console${path}`);
  await signIn(watched.page, { keep: true });
  await settle(watched.page);
  return watched;
}

describeInBrowser('the cases in the console', () => {
  serveInBrowser();

  it('are links to the help desk as soon as the site has their address, on the page and in a workbook', async () => {
    const { page, errors, foreign } = await open('/settings/site');
    await page.getByLabel('Address of a case').fill('https://help.example/tickets/{case}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('link', { name: 'Cases' }).click();
    await page.getByLabel('Find a case by its id').fill('1001');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    const link = page.getByRole('link', { name: 'Open in the help desk' });
    expect(await link.getAttribute('href')).toBe('https://help.example/tickets/1001');
    expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual(['_blank', 'noreferrer']);
    expect(await findFaults(page)).toEqual([]);

    await page.goto(`${served.service().url}/console/cases?show=case_creates&per=none&last=4w`);
    await settle(page);
    const row = page.locator('table.cases tbody th').first();
    const id = await row.getByRole('link').first().textContent();
    const beside = row.getByRole('link', { name: `Case ${id} in the help desk, in a new tab` });
    expect(await beside.getAttribute('href')).toBe(`https://help.example/tickets/${id}`);
    expect(await findFaults(page)).toEqual([]);
    await page.screenshot({ path: 'screenshots/cases-linked.png', fullPage: true });
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Spreadsheet (.xlsx)' }).click();
    const [sheet] = Object.values(read(await readFile(await (await download).path())).Sheets);
    expect([sheet?.A2?.v, sheet?.A2?.l?.Target]).toEqual([id, `https://help.example/tickets/${id}`]);
    expect([errors, foreign]).toEqual([[], []]);
    await page.context().close();
  }, 90_000);

  it('say which of them are deleted', async () => {
    const { page, errors } = await open('/cases?show=case_deletes&per=none&last=52w');
    const status = page.locator('table.cases tbody tr').first().locator('td').nth(2);
    expect(await status.textContent()).toMatch(/, deleted$/);
    expect(await findFaults(page)).toEqual([]);
    await page.locator('table.cases tbody th a').first().click();
    await page.getByText('This case was deleted on').waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  }, 60_000);
});
