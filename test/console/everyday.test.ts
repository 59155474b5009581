import { readFile } from 'node:fs/promises';
import { read } from '@e965/xlsx';
import { demoLogin } from '../../infra/demo/users.ts';
import { findFaults, said, settle, signIn, visit, type Watched } from '../support/service/browser.ts';
import { api, create } from '../support/service/console-api.ts';
import { served, serveInBrowser } from '../support/service/console-service.ts';
import { describeInBrowser } from '../support/service/in-browser.ts';

const SAVED = '/api/v2/saved_reports';
const REQUEST = { fields: ['case_creates'], time: { last: 4, unit: 'week', window_size: 'week' } };

async function open(path: string, options: Parameters<typeof visit>[2] = {}, login?: string): Promise<Watched> {
  const watched = await visit(served.browser(), `${served.service().url}/console${path}`, options);
  await signIn(watched.page, { keep: true, ...(login === undefined ? {} : { login }) });
  await settle(watched.page);
  return watched;
}

const listed = async (path: string): Promise<{ id: number; name: string; request: { fields: string[] } }[]> =>
  Object(await (await api(`${path}?per_page=1000`)).json())._embedded.entries;
const namesOf = async (path: string): Promise<string[]> => (await listed(path)).map(({ name }) => name);
const requestOf = async (id: number) => Object(await (await api(`${SAVED}/${id}`)).json()).request;

describeInBrowser('a day in the console', () => {
  serveInBrowser();

  it('shows a saved report by its name, and saves over it or as another', async () => {
    const id = await create(SAVED, { name: 'Weekly', request: REQUEST });
    const { page, errors } = await open('/saved');
    await page.getByRole('link', { name: 'Weekly', exact: true }).click();
    await page.getByRole('heading', { name: 'Weekly', level: 1 }).waitFor();
    const save = page.getByRole('button', { name: 'Save', exact: true });
    expect(await save.isDisabled()).toBe(true);
    await page.getByLabel('Compare with').selectOption('previous_period');
    await said(page, 'Not saved yet');
    await save.click();
    await said(page, 'Saved.');
    expect((await requestOf(id)).time.compare).toBe('previous_period');
    await page.getByRole('button', { name: 'Save as …' }).click();
    await page.getByLabel('Name').fill('Weekly');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await said(page, 'There is a report “Weekly” already.');
    expect(await findFaults(page)).toEqual([]);
    await page.getByLabel('Name').fill('Weekly, alone');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Weekly, alone', level: 1 }).waitFor();
    expect(await namesOf(SAVED)).toEqual(expect.arrayContaining(['Weekly', 'Weekly, alone']));
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('asks before a click on the menu loses changes of a saved report, and keeps them meanwhile', async () => {
    const id = await create(SAVED, { name: 'Mine', request: REQUEST });
    const { page } = await open(`/report?show=case_creates&per=week&last=4w&saved=${id}`);
    await page.getByRole('heading', { name: 'Mine', level: 1 }).waitFor();
    await page.getByLabel('Compare with').selectOption('previous_year');
    await said(page, 'Not saved yet');
    await page.getByRole('link', { name: 'Topics' }).click();
    await page
      .getByRole('dialog', { name: /not saved/ })
      .getByRole('button', { name: 'Stay' })
      .click();
    expect(await page.getByLabel('Compare with').inputValue()).toBe('previous_year');
    await page.getByRole('link', { name: 'Topics' }).click();
    await page.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { name: 'Topics' }).waitFor();
    expect((await requestOf(id)).time.compare).toBeUndefined();
    await page.context().close();
  });

  it('shows both sides where somebody else changed a saved report meanwhile', async () => {
    const id = await create(SAVED, { name: 'Ours', request: REQUEST });
    const { page } = await open(`/report?show=case_creates&per=week&last=4w&saved=${id}`);
    await page.getByLabel('Compare with').selectOption('previous_year');
    const theirs = JSON.stringify({ request: { ...REQUEST, fields: ['resolved_cases'] } });
    expect((await api(`${SAVED}/${id}`, { method: 'PATCH', body: theirs })).status).toBe(200);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await said(page, 'Somebody else changed this meanwhile');
    expect((await requestOf(id)).fields).toEqual(['resolved_cases']);
    await page.getByRole('button', { name: 'Take theirs' }).click();
    await page.getByRole('button', { name: 'Remove Resolved' }).waitFor({ state: 'detached' });
    await page.locator('.sentence').getByText('Resolved', { exact: true }).waitFor();
    await page.context().close();
  });

  it.each(['topics', 'macros'])('moves %s by keyboard and by drag', async (kind) => {
    const path = `/api/v2/${kind}`;
    for (const name of ['Alpha', 'Beta', 'Gamma']) await create(path, { name });
    const before = await namesOf(path);
    const { page, errors } = await open(`/${kind}`, { viewport: { width: 1280, height: 1600 } });
    await page.getByRole('button', { name: 'Move Gamma earlier' }).focus();
    await page.keyboard.press('Enter');
    await said(page, `Gamma: place ${before.length - 1} of ${before.length}.`);
    expect(await namesOf(path)).toEqual([...before.slice(0, -2), 'Gamma', 'Beta']);
    await page.keyboard.press('Enter'); // the focus has followed
    await said(page, `Gamma: place ${before.length - 2} of ${before.length}.`);
    const rows = page.locator('ol.things > li');
    await rows.last().dragTo(rows.first(), { targetPosition: { x: 5, y: 5 } });
    await said(page, `Beta: place 1 of ${before.length}.`);
    expect(await namesOf(path)).toEqual(['Beta', ...before.slice(0, -3), 'Gamma', 'Alpha']);
    expect(await page.locator('ol.things h2').allTextContents()).toEqual(await namesOf(path));
    expect(await findFaults(page)).toEqual([]);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('says how far a macro moves at a time, and shows the order that stays', async () => {
    const count = (await namesOf('/api/v2/macros')).length;
    for (let nth = count; nth < 92; nth += 1) await create('/api/v2/macros', { name: `Macro ${nth}` });
    const before = await namesOf('/api/v2/macros');
    const { page, errors } = await open('/macros');
    const rows = page.locator('ol.things > li');
    await rows.last().dispatchEvent('dragstart');
    await rows.first().dispatchEvent('drop');
    await said(page, 'A macro moves past at most 89 others at a time; 91 lie between.');
    expect(await namesOf('/api/v2/macros')).toEqual(before);
    expect(await page.locator('ol.things h2').allTextContents()).toEqual(before);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('offers no moves to a role that may not write', async () => {
    const { page } = await open('/topics', {}, demoLogin('Agent'));
    await page.locator('ol.things > li').first().waitFor();
    expect(await page.getByRole('button', { name: /^Move / }).count()).toBe(0);
    await page.context().close();
  });

  it.each(['topics', 'macros'])('shows a new name in the list of %s, too', async (kind) => {
    const id = await create(`/api/v2/${kind}`, { name: 'Old name' });
    const { page } = await open(`/${kind}`);
    await page.getByRole('link', { name: 'Old name' }).click();
    await page.getByRole('group', { name: 'Old name' }).getByLabel('Name').fill('New name');
    await page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await said(page, 'Saved.');
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await page.getByRole('link', { name: 'New name' }).waitFor();
    expect(await page.getByRole('link', { name: 'Old name' }).count()).toBe(0);
    await api(`/api/v2/${kind}/${id}`, { method: 'DELETE' });
    await page.context().close();
  });

  it('asks in a dialog of its own before a topic is deleted or its changes are lost', async () => {
    const id = await create('/api/v2/topics', { name: 'Short-lived' });
    const { page } = await open(`/topics/${id}`);
    await page.getByRole('group', { name: 'Short-lived' }).getByLabel('Name').fill('Renamed');
    await page.getByRole('link', { name: 'Macros' }).click();
    await page.getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await said(page, 'Saved.');
    await page.getByRole('button', { name: 'Delete' }).first().click();
    const asked = page.getByRole('dialog', { name: 'Delete “Renamed”? This cannot be undone.' });
    await asked.waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Cancel');
    await asked.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Topics' }).waitFor();
    expect((await api(`/api/v2/topics/${id}`)).status).toBe(404);
    await page.context().close();
  });

  it('takes periods by their letters, but not while somebody types', async () => {
    const { page } = await open('/report?show=case_creates&per=week&last=4w');
    const period = page.getByRole('button', { name: /^Period: / });
    await page.keyboard.press('k');
    await page.getByRole('button', { name: 'Period: This week' }).waitFor();
    await page.keyboard.press('e');
    await page.getByRole('button', { name: 'Period: Yesterday' }).waitFor();
    await page.getByRole('button', { name: 'Add a number' }).click();
    await page.getByLabel('Search: Add a number').fill('');
    await page.keyboard.press('d');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+d');
    expect(await period.getAttribute('aria-label')).toBe('Period: Yesterday');
    await page.context().close();
  });

  it.each([1280, 380])('has cells of heat maps that a finger can hit, at %d px', async (width) => {
    const { page } = await open('', { viewport: { width, height: 800 } });
    await settle(page);
    const sizes = await page
      .locator('.heat button')
      .evaluateAll((cells) =>
        cells.map((cell) => cell.getBoundingClientRect()).map((box) => Math.min(box.width, box.height)),
      );
    expect(sizes.length).toBe(7 * 24);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(24); // WCAG 2.5.8
    const seen = await page.locator('.heat th').evaluateAll((cells) =>
      cells
        .filter((cell) => {
          const [part, box] = [cell, cell.closest('.scroll')].map((each) => each?.getBoundingClientRect());
          return part && box && part.left >= box.left && part.right <= box.right;
        })
        .map(({ textContent }) => textContent),
    );
    expect(seen).toEqual(expect.arrayContaining(['Mon', 'Sun', '10', '12', '14'])); // the demo site works from 9 to 5
    expect(seen.includes('00')).toBe(width > 380);
    await page.context().close();
  });

  it.each([
    '',
    '/report?show=case_creates,case_resolves&compare=previous_period',
    '/boards',
    '/saved',
    '/import',
    '/settings',
  ])('has links and buttons that are big enough to touch, at 380 px: %s', async (path) => {
    const { page } = await open(path, { viewport: { width: 380, height: 800 } });
    const small = await page.locator('main').evaluate((main) =>
      [...main.querySelectorAll('a, button, select')]
        .filter((each) => each.checkVisibility())
        .map((each) => [each.textContent, each.getBoundingClientRect().height] as const)
        .filter(([, height]) => height < 24),
    );
    expect(small).toEqual([]); // WCAG 2.5.8
    await page.context().close();
  });

  it.each([
    [320, 568, '/report?show=case_creates&per=week&last=4w'],
    [1280, 860, ''],
    [700, 860, ''],
  ])('keeps the choice of a period within a window of %d × %d px', async (wide, high, path) => {
    const { page } = await open(path, { viewport: { width: wide, height: high } });
    await page.getByRole('button', { name: /^Period: / }).click();
    await settle(page);
    const panel = page.locator('.panel');
    const { x, y, width, height } = (await panel.boundingBox()) ?? { x: -1, y: -1, width: 0, height: 0 };
    expect([x >= 0, y >= 0, x + width <= wide, y + height <= high]).toEqual([true, true, true, true]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(wide);
    expect(await findFaults(page)).toEqual([]);
    await page.context().close();
  });

  it('takes labels and custom fields of a macro from lists', async () => {
    const id = await create('/api/v2/macros', { name: 'Sort it' });
    const actions = async (): Promise<{ type: string; value: unknown }[]> =>
      listed(`/api/v2/macros/${id}/actions`) as never;
    const { page, errors } = await open(`/macros/${id}`);
    const form = page.locator('form.missing');
    await form.getByLabel('What it does').selectOption({ label: 'Add labels' });
    await form.getByRole('button', { name: /^Add a label/ }).click();
    await form.locator('.panel .option').first().click();
    const known = await form.locator('.panel .option span').first().textContent();
    await form.getByLabel('Another label').fill('brand new');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    expect(await findFaults(page)).toEqual([]);
    await form.getByRole('button', { name: 'Add an action' }).click();
    await said(page, 'Saved.');
    expect((await actions()).map(({ value }) => value)).toEqual([[known, 'brand new']]);
    await form.getByLabel('What it does').selectOption({ label: 'Set custom field' });
    const fields = await form.getByLabel('Custom field').locator('option').allTextContents();
    await form.getByLabel('Custom field').selectOption(fields[1] ?? '');
    await form.getByLabel('Value').waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('tells the story of a case in words', async () => {
    const { page, errors } = await open('/cases/1001');
    const told = await page.locator('.timeline strong').allTextContents();
    expect(told).toEqual(expect.arrayContaining(['Created', 'Customer wrote', expect.stringMatching(/ replied$/)]));
    expect(told.filter((each) => /^(Case|Interaction|Macro|Csat)\b/.test(each))).toEqual([]);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it.each([
    ['FRT', 'First response'],
    ['backlog', 'Open at the end'],
    ['tickets volume', 'Created'],
    ['AHT', 'Handle time'],
    ['median first', 'First response, median'],
    ['unresolved', 'Open at the end'],
    ['first reply', 'First response'],
  ])('finds the number that people call %s', async (words, label) => {
    const { page } = await open('/report?show=resolved_cases&per=week&last=4w');
    await page.getByRole('button', { name: 'Add a number' }).click();
    await page.getByLabel('Search: Add a number').fill(words);
    const found = await page.locator('.pick .option > span:first-child').allTextContents();
    expect(found).toContain(label);
    expect(found.length).toBeLessThan(20);
    await page.context().close();
  });

  it('says what a number means, one click from each, and has a glossary of all', async () => {
    const { page, errors } = await open('');
    await page.getByRole('button', { name: 'What “Created” means' }).first().click();
    await page.getByText('Cases created.').waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'What all numbers mean' }).click();
    await page.locator('.asked dt a').waitFor();
    const { fields } = Object(await (await api('/api/v2/report_definitions')).json());
    expect(await page.locator('.glossary dt').count()).toBe(fields.length);
    expect(await page.locator('.asked dt a').textContent()).toBe('Created');
    await page.getByLabel('Find a number').fill('backlog');
    expect(await page.locator('.glossary dt a').allTextContents()).toEqual(['Open at the end']);
    expect([await findFaults(page), errors]).toEqual([[], []]);
    await page.context().close();
  });

  it.each([
    ['line', 'show=case_creates,resolved_cases&per=day&last=4w', 'Created'],
    ['bars', 'show=case_creates&by=channel&per=none&last=4w', 'Email'],
    ['heat', 'show=case_creates&by=weekday&and=hour_of_day&per=none&last=4w', 'Mon'],
  ])('saves a chart of %s as a picture that stands alone', async (chart, query, word) => {
    const { page, errors } = await open(`/report?${query}&chart=${chart}`);
    const saved: Record<string, Buffer> = {};
    for (const ending of ['SVG', 'PNG']) {
      await page.getByRole('button', { name: 'Download image' }).click();
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: ending, exact: true }).click();
      const file = await download;
      expect(file.suggestedFilename()).toMatch(
        new RegExp(`^Cases-created.*-Mon-\\w{3}-\\d+-Sun-\\w{3}-\\d+-2\\d{3}\\.${ending.toLowerCase()}$`),
      );
      saved[ending] = await readFile(await file.path());
    }
    const svg = String(saved.SVG);
    expect(svg).toContain(word);
    expect(svg).not.toMatch(/class=|foreignObject|color\(|<script|https?:\/\/(?!www\.w3\.org)/);
    const [width, height] = [/width="(\d+)"/, /height="(\d+)"/].map((size) => Number(size.exec(svg)?.[1]));
    expect(saved.PNG?.subarray(1, 4).toString()).toBe('PNG');
    expect([saved.PNG?.readUInt32BE(16), saved.PNG?.readUInt32BE(20)]).toEqual([2 * (width ?? 0), 2 * (height ?? 0)]);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('tells a Reporting Agent what the role may see, and why not the rest', async () => {
    const { page, errors } = await open('/report', {}, demoLogin('Reporting Agent'));
    await page.getByText('not for the role Reporting Agent').waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole('main').getByRole('link', { name: 'Macros' }).click();
    await page.locator('ol.things > li').first().waitFor();
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Report' }).count()).toBe(0);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('links cases to the help desk as soon as the site has an address for them, on the page and in a workbook', async () => {
    const { page, errors, foreign } = await open('/settings/site');
    await page.getByLabel('Address of a case').fill('https://help.example/tickets/{case}');
    await page.getByRole('button', { name: 'Save' }).click();
    await said(page, 'Saved.');
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
  });

  it('says which cases are deleted', async () => {
    const { page, errors } = await open('/cases?show=case_deletes&per=none&last=52w');
    const status = page.locator('table.cases tbody tr').first().locator('td').nth(2);
    expect(await status.textContent()).toMatch(/, deleted$/);
    expect(await findFaults(page)).toEqual([]);
    await page.locator('table.cases tbody th a').first().click();
    await page.getByText('This case was deleted on').waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it.each([
    ['topics', 'Topics', '4711'],
    ['macros', 'Macros', '4711'],
    ['articles', 'Articles', '4711'],
    ['topics', 'Topics', 'no number'],
  ])('says that one of the %s does not exist, with the way back', async (kind, title, id) => {
    const { page, errors } = await open(`/${kind}/${encodeURIComponent(id)}`);
    await page.getByRole('alert').getByText('This does not exist, or does not exist any more.').waitFor();
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
    expect(await page.locator('form.editor, .translation').count()).toBe(0);
    expect([await findFaults(page), errors]).toEqual([[], []]);
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await page.locator('ol.things > li').first().waitFor();
    await page.context().close();
  });
});
