import { readFileSync } from 'node:fs';
import { read } from '@e965/xlsx';
import { createFormat } from '../../lib/console/model/format.ts';
import { rangesText } from '../../lib/console/model/report/report.ts';
import { findFaults, settle, signIn, visit } from '../support/service/browser.ts';
import { api, create, loadCases } from '../support/service/console-api.ts';
import { served, serveInBrowser } from '../support/service/console-service.ts';
import { describeInBrowser } from '../support/service/in-browser.ts';
import { pdfOf } from '../support/service/pdf.ts';

const PICTURES = 'test/console/screenshots';
const TIME = { last: 4, unit: 'week' };
const CONTROLS = ['There is more to the side', 'Table', 'Show the numbers', 'Why?', 'Chart shows', 'Open as a report'];
const plain = (words: string): string => words.replaceAll(/\s+/g, ' ');

/** The dates of a report that is compared with the period before, in words, as the API has them. */
async function datesOf(time: object): Promise<string> {
  const compared = { fields: ['case_creates'], time: { ...time, compare: 'previous_period' }, chance: true };
  const body = JSON.stringify(compared);
  const { request, comparison } = Object(
    await (await api('/api/v2/insights3/reports', { method: 'POST', body })).json(),
  );
  const range = ({ max, ...time }: { readonly min: string; readonly max: string }) => ({
    ...time,
    max,
    until: max.slice(0, 19),
  });
  return rangesText({ ...range(request.time), before: range(comparison.time) }, createFormat('en-US'));
}

async function open(path: string, options = {}) {
  const watched = await visit(served.browser(), `${served.service().url}/console${path}`, options);
  await signIn(watched.page, { keep: true });
  await settle(watched.page);
  return watched;
}

describeInBrowser('what a board says beside its numbers', () => {
  serveInBrowser();
  const save = (name: string, request: object) => create('/api/v2/saved_reports', { name, request });

  it('is typed, shown as it will be, and kept: headings, texts with links, goals, the chart of a report', async () => {
    const report = await save('By week', { fields: ['resolved_cases'], time: { ...TIME, window_size: 'week' } });
    const id = await create('/api/v2/boards', { name: 'Goals', tiles: [] });
    const { page, errors, foreign } = await open(`/boards/${id}?edit=`);
    await page.getByRole('button', { name: 'Add a heading' }).click();
    await page.getByLabel('Heading 1').fill('How we <b>do</b>');
    await page.getByRole('button', { name: 'Add a text' }).click();
    await page.getByLabel('Text 2').fill('Rules: https://help.example/rules?a=1&b=2, javascript:alert(1)');
    await page.getByRole('button', { name: 'Add a tile' }).click();
    await page
      .getByRole('option', { name: 'By week' })
      .or(page.getByRole('button', { name: 'By week' }))
      .first()
      .click();
    expect(await page.getByLabel('Shown as: By week').inputValue()).toBe('line');
    await page.getByLabel('Goal: By week').selectOption('above');
    await page.getByLabel('Goal, in the unit of the report: By week').fill('77');
    await settle(page);
    const preview = page.getByRole('region', { name: 'As it will be' });
    await preview.getByText('Goal: at least 77 – kept in').waitFor();
    expect(await preview.locator('line.goal').count()).toBe(1);
    await page.screenshot({ path: `${PICTURES}/board-editor-1280.png`, fullPage: true });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Goals', exact: true }).waitFor();
    await settle(page);
    expect(await page.locator('h2.board-heading').textContent()).toBe('How we <b>do</b>');
    const links = page.locator('.board-text a');
    expect(await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual([
      'https://help.example/rules?a=1&b=2',
    ]);
    expect(await links.first().getAttribute('rel')).toContain('noreferrer');
    expect(await findFaults(page)).toEqual([]);
    for (const width of [1280, 380]) {
      await page.setViewportSize({ width, height: 860 });
      await page.screenshot({ path: `${PICTURES}/board-goals-${width}.png`, fullPage: true });
    }

    await page.goto(`${served.service().url}/console/saved`);
    await settle(page);
    await page.getByRole('button', { name: 'Delete: By week' }).click();
    await page.getByText('“By week” is used by the board “Goals”.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect([errors, foreign, report > 0]).toEqual([[], [], true]);
    await page.context().close();
  });

  it('is exported as one workbook, a sheet for each tile', async () => {
    const tiles = [
      { heading: 'All' },
      {
        saved_report: await save('Created', { fields: ['case_creates'], time: { ...TIME, window_size: 'none' } }),
        ...{ shown_as: 'number', goal: { value: 1, better: 'above' } },
      },
      {
        saved_report: await save('By channel', {
          ...{ fields: ['case_creates'], time: { ...TIME, window_size: 'none' }, dimension1: 'channel' },
          filters: [[['Include', 'Channels', [{ id: '1' }]]]],
        }),
        shown_as: 'bars',
      },
    ];
    const id = await create('/api/v2/boards', { name: 'Sheets', tiles });
    const { page } = await open(`/boards/${id}`);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export (.xlsx)' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^Sheets-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.xlsx$/);
    const path = process.env.KEEP_WORKBOOK ?? (await file.path());
    if (process.env.KEEP_WORKBOOK) await file.saveAs(path);
    const book = read(readFileSync(path));
    expect(book.SheetNames).toEqual(['Created', 'By channel']);
    const cells = Object.values(book.Sheets['By channel'] ?? {}).map((cell) => Object(cell).v);
    expect(cells).toEqual(expect.arrayContaining(['By channel', 'Channel is Email', 'Email']));
    expect(Object.values(book.Sheets.Created ?? {}).map((cell) => Object(cell).v)).toContain('Goal: at least 1 – kept');
    await page.context().close();
  });

  it('tells its dates on each tile where it has no period of its own, also behind a link and on paper', async () => {
    const week = { last: 1, unit: 'week', window_size: 'none' };
    const months = { last: 2, unit: 'month', window_size: 'none', time_zone: 'Asia/Tokyo' };
    const request = (time: object) => ({ fields: ['case_creates'], time });
    const tiles = [
      { saved_report: await save('Week', request(week)), shown_as: 'number' },
      { saved_report: await save('Months', request(months)), shown_as: 'number' },
    ];
    const dates = [await datesOf(week), `${await datesOf(months)} · Asia/Tokyo`].map(plain);
    const id = await create('/api/v2/boards', { name: 'Own dates', tiles });
    const { page, errors } = await open(`/boards/${id}`);
    const shown = async (): Promise<string[]> => (await page.locator('.tile p.small').allTextContents()).map(plain);
    expect(await shown()).toEqual(dates);
    expect(await page.locator('.covered').textContent()).toMatch(/^Each tile says its dates · America\/New_York · /);
    for (const width of [1280, 380]) {
      await page.setViewportSize({ width, height: 860 });
      await page.screenshot({ path: `${PICTURES}/board-dates-${width}.png`, fullPage: true });
    }
    const { text } = await pdfOf(page, 'A4');
    for (const words of dates) expect(plain(text)).toContain(words);
    const link = Object(
      await (await api(`/api/v2/boards/${id}/links`, { method: 'POST', body: '{"name":"x"}' })).json(),
    );
    const { pathname, hash } = new URL(link.url);
    await page.goto(`${served.service().url}${pathname}${hash}`);
    await page.locator('.covered').waitFor();
    expect(await shown()).toEqual(dates);
    expect(await page.locator('.covered').textContent()).toMatch(/^Each tile says its dates · America\/New_York · /);

    await page.goto(`${served.service().url}/console/boards/${id}?last=1w`);
    await settle(page);
    expect(plain((await page.locator('.covered').textContent()) ?? '')).toContain(`${dates[0]} · America/New_York`);
    expect(await shown()).toEqual(['Last week', 'Last week']);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('says of numbers that nothing of them has a channel, not that nothing has happened', async () => {
    await loadCases('silent', ['N-1', 'N-2', 'N-3', 'N-4'], { at: '2025-03-03T15:00:00Z' });
    const { page } = await open('/?from=2025-03-01&until=2025-03-08');
    await page.getByText('Nothing that is counted here has a value for Channel.').waitFor();
    expect(await page.locator('.figure').first().textContent()).toBe('4');
    expect(await page.getByText('Nothing has happened').count()).toBe(0);
    await page.context().close();
  });

  it.each([
    ['A4', 596, 843],
    ['Letter', 612, 792],
  ] as const)(
    'is printed on pages of %s, without menus, ranges and moment on top',
    async (format, width, height) => {
      const time = { ...TIME, window_size: 'none' };
      const tiles = [
        { heading: 'On paper' },
        { saved_report: await save('Created', { fields: ['case_creates'], time }), shown_as: 'number' },
        {
          saved_report: await save('When', {
            ...{ fields: ['case_creates'], time, dimension1: 'weekday', dimension2: 'hour_of_day' },
          }),
          shown_as: 'heat',
        },
        {
          saved_report: await save('Agents', { fields: ['resolved_cases'], time, dimension1: 'action_agent' }),
          ...{ shown_as: 'table', width: 2 },
        },
      ];
      const id = await create('/api/v2/boards', { name: 'Printed', tiles });
      const report = '/report?show=case_creates&by=channel&last=4w';
      for (const [address, words] of [
        [`/boards/${id}`, ['Printed', 'On paper', 'Created', 'When', 'Agents', 'Ann Becker', 'Total']],
        [report, ['Email', 'Total']],
      ] as const) {
        const { page } = await open(address);
        const { pages, text } = await pdfOf(page, format);
        expect(pages.length).toBeGreaterThan(0);
        for (const size of pages) expect(size.map(Math.round)).toEqual([width, height]);
        for (const word of words) expect(text).toContain(word);
        expect(text).toContain('as of');
        expect(text).toContain('America/New_York');
        for (const menu of ['Overview', 'Sign out', 'Mail this', 'Export', ...CONTROLS])
          expect(text).not.toContain(menu);
        await page.emulateMedia({ media: 'print' });
        await page.setViewportSize({ width: Math.round((width / 72) * 96) - 2 * 45, height: 1000 }); // 12 mm at each side
        const cards = page.locator('.card');
        const room = await cards.evaluateAll((all) => all.map((card) => card.scrollWidth - card.clientWidth));
        expect([room.length > 0, Math.max(...room)]).toEqual([true, 0]);
        const held =
          "[...document.querySelectorAll('th, td')].filter((cell) => getComputedStyle(cell).position !== 'static')";
        expect(await page.evaluate(`${held}.length`)).toBe(0);
        await page.screenshot({ path: `${PICTURES}/printed-${words[0]}-${format}.png`, fullPage: true });
        await page.context().close();
      }
    },
    120_000,
  );
});
