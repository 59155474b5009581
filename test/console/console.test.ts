import { readFile } from 'node:fs/promises';
import { read, utils } from '@e965/xlsx';
import type { Page, Route } from 'playwright-core';
import { DEMO_PASSWORD, demoLogin } from '../../infra/demo/users.ts';
import { findFaults, said, settle, signIn, visit, type Watched } from '../support/service/browser.ts';
import { api, create } from '../support/service/console-api.ts';
import { served, serveInBrowser } from '../support/service/console-service.ts';
import { eventually } from '../support/service/eventually.ts';
import { describeInBrowser } from '../support/service/in-browser.ts';

const postReport = async (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  api('/api/v2/insights3/reports', { method: 'POST', body: JSON.stringify(body), headers });

/** A page of the console, signed in. */
async function open(path: string, options: Parameters<typeof visit>[2] = {}): Promise<Watched> {
  const watched = await visit(served.browser(), `${served.service().url}${path}`, options);
  await signIn(watched.page);
  await settle(watched.page);
  return watched;
}

/** The values of the report's table, row by row, as they were sent. */
async function tableValues(page: Page): Promise<(number | null)[][]> {
  const rows = await page.locator('section.card table.report tbody tr:not(.gap)').all();
  return Promise.all(
    rows.map(async (row) => {
      const cells = await row.locator('td[data-value]').all();
      return Promise.all(cells.map(async (cell) => JSON.parse((await cell.getAttribute('data-value')) ?? 'null')));
    }),
  );
}

const BY_CHANNEL = {
  fields: ['case_creates', 'resolved_cases'],
  time: { last: 4, unit: 'week', window_size: 'week' },
  dimension1: 'channel',
};

describeInBrowser('the console in a browser', () => {
  serveInBrowser();

  it('is where / leads, refuses a wrong password in its own words, and forgets who signs out', async () => {
    const { page, errors } = await visit(served.browser(), served.service().url);
    expect(page.url()).toBe(`${served.service().url}/console`);
    await page.getByLabel('Login').fill(demoLogin('Administrator'));
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Login or password is wrong.').waitFor();
    await signIn(page, { keep: true });
    await page.reload();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('forgets the password once it has a session, which other tabs take over and leave together', async () => {
    const { page } = await open('/console');
    const stored = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])';
    const [browser, tab, cookie] = JSON.parse(await page.evaluate(stored));
    expect([browser, Object.keys(tab), cookie]).toEqual([{}, [expect.stringContaining('support-session')], '']);
    expect(JSON.stringify(tab)).not.toContain(DEMO_PASSWORD);
    await page.reload();
    await page.getByRole('heading', { name: 'Overview' }).waitFor(); // the tab keeps the session
    const sent = page.waitForRequest((request) => request.url().includes('/api/'));
    await page.getByRole('link', { name: 'Saved reports' }).click();
    expect((await (await sent).allHeaders()).authorization).toMatch(/^Bearer /);
    const second = await page.context().newPage();
    await second.goto(`${served.service().url}/console/topics`);
    await second.getByRole('heading', { name: 'Topics' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await second.getByRole('button', { name: 'Sign in' }).waitFor();
    await second.reload();
    await second.getByRole('button', { name: 'Sign in' }).waitFor();
    await signIn(second);
    await page.locator('#page').waitFor(); // the tab that waited at the form
    await page.context().close();
  });

  it('shows on the overview what the API says, and asks nobody else', async () => {
    const { page, errors, foreign } = await open('/console');
    const script =
      "JSON.stringify([...document.querySelectorAll('.tile .figure')].map(({ dataset }) => [dataset.field, dataset.value]))";
    const tiles: [string, string][] = JSON.parse(String(await page.evaluate(script)));
    expect(tiles.length).toBeGreaterThanOrEqual(5);
    const time = { last: 4, unit: 'week', window_size: 'none' };
    const { data } = Object(await (await postReport({ fields: tiles.map(([field]) => field), time })).json());
    expect(tiles.map(([, value]) => (value === '' ? null : Number(value)))).toEqual(data[0].slice(3));
    expect([errors, foreign]).toEqual([[], []]);
    await page.context().close();
  });

  it('builds by clicks the report that the API gives, cell by cell, and the CSV is that table', async () => {
    const { page } = await open('/console/report');
    await page.getByRole('button', { name: /^Split by/ }).click();
    await page.getByRole('button', { name: 'Channel', exact: true }).click();
    await page.getByRole('button', { name: /^per / }).click();
    await page.getByRole('button', { name: 'week', exact: true }).click();
    await settle(page);
    const { data } = Object(await (await postReport(BY_CHANNEL)).json());
    expect(await tableValues(page)).toEqual(data.map((row: unknown[]) => row.slice(3)));

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('button', { name: 'CSV for programs' }).click();
    const csv = await readFile(await (await download).path(), 'utf8');
    const lines = csv.trim().split('\r\n').slice(1);
    expect(lines.map((line) => line.split(',').slice(-2).map(Number))).toEqual(await tableValues(page));
    await page.context().close();
  });

  it.each([
    ['Spreadsheet (.xlsx)', 'xlsx'],
    ['CSV for a spreadsheet', 'csv'],
  ])('exports the table on the screen, with its totals, as %s', async (button, ending) => {
    const { page } = await open(
      '/console/report?show=case_creates,time_to_first_response:p50&by=channel&per=none&last=12w',
    );
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('button', { name: button }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(
      /^Created-First-response-median-2\d{3}-\d\d-\d\d-2\d{3}-\d\d-\d\d\.(xlsx|csv)$/,
    );
    const book = read(await readFile(await file.path()), { raw: true });
    const [sheet] = Object.values(book.Sheets);
    const lines = utils.sheet_to_json<(string | number)[]>(sheet ?? {}, { header: 1, raw: true });
    const [header, ...rows] = lines.slice(lines.findIndex(([first]) => first === 'Channel')); // below what a workbook says of it
    expect(header?.[0]).toBe('Channel');
    expect(rows.at(-1)?.[0]).toBe('All cases');
    const seconds = ending === 'xlsx' ? 86_400 : 1; // a workbook has days
    const values = rows.slice(0, -1).map(([, count, time]) => [Number(count), Math.round(Number(time) * seconds)]);
    const shown = await tableValues(page);
    expect(values).toEqual(shown.map(([count, time]) => [count, Math.round(Number(time))]));
    await page.context().close();
  });

  it('exports all cases behind a number', async () => {
    const { page } = await open('/console/cases?show=case_creates&per=none&last=4w');
    await settle(page);
    const [shown = ''] = /[\d,]+ entries/.exec((await page.getByText(/[\d,]+ entries/).textContent()) ?? '') ?? [];
    const total = Number(shown.replaceAll(/\D/g, ''));
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Spreadsheet (.xlsx)' }).click();
    const [sheet] = Object.values(read(await readFile(await (await download).path())).Sheets);
    expect(utils.sheet_to_json(sheet ?? {})).toHaveLength(total);
    expect(total).toBeGreaterThan(100); // more than the page shows at first
    await page.context().close();
  });

  it('keeps all it shows in the address: back, reload and a pasted link give the same', async () => {
    const { page } = await open('/console/report?show=case_creates&by=channel&per=none&last=12w');
    const first = await tableValues(page);
    await page.getByRole('button', { name: 'Remove Channel' }).click();
    await settle(page);
    expect(await tableValues(page)).toHaveLength(1);
    await page.goBack();
    await settle(page);
    expect(await tableValues(page)).toEqual(first);
    const other = await open(page.url().slice(served.service().url.length));
    expect(await tableValues(other.page)).toEqual(first);
    await page.reload();
    await settle(page);
    expect(await tableValues(page)).toEqual(first);
    await other.page.context().close();
    await page.context().close();
  });

  it('leads from a number to zooming in, by keyboard alone', async () => {
    const { page } = await open('/console/report?show=case_creates&per=month&last=3m');
    await page.locator('button.value').first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'See the cases behind it' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await settle(page);
    expect(new URL(page.url()).searchParams.get('per')).toBe('week');
    await page.getByRole('button', { name: /^Period/ }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await eventually(
      () => page.evaluate('document.activeElement.getAttribute("aria-label")'),
      (value) => expect(value).toMatch(/^Period/),
    );
    await page.context().close();
  });

  it('lists behind a number the cases that add up to it, in one click', async () => {
    const { page } = await open('/console/report?show=case_creates,time_to_first_response&by=channel&per=week&last=2w');
    const [[created, firstResponse] = []] = await tableValues(page);
    for (const [place, check] of [
      [0, (values: number[]) => values.length === created],
      [
        1,
        (values: number[]) =>
          Math.abs(values.reduce((a, b) => a + b, 0) / values.length - Number(firstResponse)) < 0.01,
      ],
    ] as const) {
      await page.locator('table.report tbody tr').first().locator('button.value').nth(place).click();
      await page.getByRole('link', { name: 'See the cases behind it' }).click();
      await page.locator('table.cases tbody tr').first().waitFor();
      await settle(page);
      const values = await page.locator('table.cases td[data-value]').all();
      const listed = await Promise.all(values.map(async (cell) => Number(await cell.getAttribute('data-value'))));
      expect([place, listed.length > 0, check(listed)]).toEqual([place, true, true]);
      await page.goBack();
      await settle(page);
    }
    await page.context().close();
  });

  it('says what is wrong, and offers what helps', async () => {
    const { page } = await open('/console/report?per=hour');
    const answer =
      (status: number, body: object, headers = {}) =>
      (route: Route) =>
        route.fulfill({ status, headers, contentType: 'application/json', body: JSON.stringify(body) });
    const reports = '**/insights3/reports';
    const faults = { message: 'Validation Failed', errors: { time: { window_size: ['too_large'] } } };
    await page.route(reports, answer(422, faults));
    await page.getByLabel('Compare with').selectOption('previous_year');
    await page.getByText('This is too much to show at once.').waitFor();
    await page.unroute(reports);
    await page.getByRole('button', { name: 'Use windows of a day instead' }).click();
    await page.locator('button.value').first().waitFor();

    await page.route(reports, answer(503, { message: 'Service Unavailable' }));
    await page.getByLabel('Compare with').selectOption('');
    await page.getByText('The service does not answer right now.').waitFor();
    await page.unroute(reports);
    await page.route(reports, (route) => route.abort());
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The service cannot be reached.').waitFor();
    await page.unroute(reports);

    let refused = 0;
    await page.route(reports, (route) =>
      ++refused === 1
        ? answer(429, { message: 'Too Many Requests' }, { 'X-Rate-Limit-Reset': '1' })(route)
        : route.continue(),
    );
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Another report of this site is being made.').waitFor();
    await page.locator('button.value').first().waitFor();
    expect(refused).toBe(2);

    // A key reaches what has the focus: a request of the page itself may end the session, and take the link away, before a click.
    await page.getByRole('link', { name: 'Topics' }).focus();
    await page.route('**/api/**', answer(401, { message: 'Unauthorized' }));
    await page.keyboard.press('Enter');
    await page.getByText('Your session has ended.').waitFor();
    await page.context().close();
  });

  it('lets a role without reports see topics and macros, and no more', async () => {
    const { page } = await visit(served.browser(), `${served.service().url}/console`);
    await page.getByLabel('Login').fill(demoLogin('Agent'));
    await page.getByLabel('Password').fill(DEMO_PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('not for the role Agent').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Topics' }).click();
    await page.locator('.thing').first().waitFor();
    expect(await page.getByRole('link', { name: 'Report', exact: true }).count()).toBe(0);
    await page.context().close();
  });

  it('does not let one person overwrite what another has changed', async () => {
    const topic = '/api/v2/topics/1';
    const before = String(Object(await (await api(topic)).json()).name);
    const { page } = await open('/console/topics/1');
    const name = page.getByRole('group', { name: before }).getByLabel('Name');
    const mine = `Mine ${'\u05e9'.repeat(250)}`; // as long as a name may be, and from right to left
    await name.fill(mine);
    const theirs = { method: 'PATCH', body: JSON.stringify({ name: 'Theirs' }) };
    expect((await api(topic, theirs)).status).toBe(200);
    await page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await page.getByText('Somebody else changed this meanwhile').waitFor();
    expect(Object(await (await api(topic)).json()).name).toBe('Theirs');
    await page.getByRole('button', { name: 'Save mine over it' }).click();
    await said(page, 'Saved.');
    expect(Object(await (await api(topic)).json()).name).toBe(mine);
    await page.context().close();
  });

  it('marks a language that a topic lacks, and takes its translation', async () => {
    const japanese = '/api/v2/topics/3/translations/ja';
    expect((await api(japanese)).status).toBe(404);
    const { page } = await open('/console/topics/3');
    const form = page.locator('.translation').filter({ hasText: 'Japanese (ja) missing' });
    await form.getByLabel('Name').fill('返品');
    await form.getByRole('button', { name: 'Create' }).click();
    await said(page, 'Saved.');
    await form.waitFor({ state: 'detached' });
    expect(Object(await (await api(japanese)).json()).name).toBe('返品');
    await page.context().close();
  });

  it('saves a report, and opens it again as it was', async () => {
    const { page } = await open('/console/report?show=resolved_cases&by=action_agent&per=none&last=4w');
    const values = await tableValues(page);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByLabel('Name').fill('Who resolves');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved as “Who resolves”.').waitFor();
    await page.getByRole('link', { name: 'Saved reports' }).click();
    await page.getByRole('link', { name: 'Who resolves', exact: true }).click();
    await settle(page);
    expect(await tableValues(page)).toEqual(values);
    await page.context().close();
  });
});

const PAGES = {
  overview: '/console',
  report: '/console/report?show=case_creates,resolved_cases&by=channel&per=week&last=4w&compare=previous_period',
  bars: '/console/report?show=case_creates&by=label&per=none&last=12w',
  heat: '/console/report?show=case_creates&by=channel&and=label&per=none&last=12w',
  saved: '/console/saved',
  glossary: '/console/glossary?number=time_to_first_response',
  boards: '/console/boards',
  board: '/console/boards/{board}',
  'board, edited': '/console/boards/{board}?edit=',
  'board, on the wall': '/console/boards/{board}?wall=',
  cases: '/console/cases?show=time_to_first_response&by=channel&by_only=1&per=none&last=4w&order=largest',
  story: '/console/cases/1001',
  articles: '/console/articles',
  article: '/console/articles/1',
  topics: '/console/topics',
  topic: '/console/topics/2',
  macros: '/console/macros',
  macro: '/console/macros/1',
  import: '/console/import',
  file: '/console/import/1',
} as const;

const MODES = {
  light: {},
  dark: { colorScheme: 'dark' },
  forced: { forcedColors: 'active' },
  narrow: { viewport: { width: 320, height: 700 } },
  zoomed: { viewport: { width: 640, height: 430 }, deviceScaleFactor: 2 }, // 1280 px at 200 %
} as const;

const EXPORT = ['Id,Created at,Solved at,Status,Priority,Assignee,Group,Channel,Tags,Subject']
  .concat(
    Array.from({ length: 40 }, (_, i) =>
      [
        ...[i + 1, `2026-01-0${1 + (i % 9)} 10:00:00`, i % 3 ? '' : '2026-01-20 10:00:00', i % 3 ? 'Open' : 'Solved'],
        ...[i % 2 ? 'High' : 'Low', `Agent ${i % 4}`, 'First line', 'Email', 'billing refund', 'Where is my parcel?'],
      ].join(','),
    ),
  )
  .concat('99,some day,,Open,Low,Agent 1,First line,Email,,A row that cannot be used')
  .join('\n');

/** A file that was tried and waits to be loaded, for the page that shows one. */
async function bringFile(): Promise<void> {
  await api('/api/v2/imports?name=tickets.csv', { method: 'POST', body: EXPORT });
  for (;;) {
    const { state } = Object(await (await api('/api/v2/imports/1')).json());
    if (state !== 'checking') return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** A board with a tile of each sort, and one whose report was deleted. Returns its id. */
async function bringBoard(): Promise<number> {
  const time = { last: 4, unit: 'week', window_size: 'week' };
  const request = { fields: ['case_creates'], dimension1: 'channel', time };
  const channels = await create('/api/v2/saved_reports', { name: 'Created by channel', request });
  const median = { fields: ['time_to_first_response:p50'], time };
  const first = await create('/api/v2/saved_reports', { name: 'First response', request: median });
  const gone = await create('/api/v2/saved_reports', { name: 'Gone', request: median });
  const shown = ['stacked', 'heat', 'table'].map((shown_as) => ({ saved_report: channels, shown_as }));
  const numbers = [{ saved_report: first, shown_as: 'number', pinned: true }];
  const tiles = [...numbers, ...shown, { saved_report: gone, shown_as: 'line', width: 2 }];
  const filters = [[['Exclude', 'Channels', [{ id: 2 }]]]];
  const id = await create('/api/v2/boards', { name: 'Monday', tiles, time: { last: 12, unit: 'week' }, filters });
  await api(`/api/v2/saved_reports/${gone}`, { method: 'DELETE' });
  return id;
}

describeInBrowser('every page', () => {
  let board: number;
  const addressOf = (path: string): string => served.service().url + path.replace('{board}', String(board));
  serveInBrowser();
  beforeAll(bringFile);
  beforeAll(async () => {
    board = await bringBoard();
  });

  it.each(Object.entries(MODES))(
    'has nothing that axe finds wrong, and scrolls in no two directions: %s',
    async (_, mode) => {
      const { page } = await visit(served.browser(), `${served.service().url}/console`, mode);
      const faults: Record<string, string[]> = { 'sign in': await findFaults(page) };
      await signIn(page, { keep: true });
      for (const [name, path] of Object.entries(PAGES)) {
        await page.goto(addressOf(path));
        await page.locator('#page h1').first().waitFor();
        await settle(page);
        const wide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
        faults[name] = [...(await findFaults(page)), ...(Number(wide) > 0 ? [`${wide} px too wide`] : [])];
      }
      await page.goto(`${served.service().url}/docs`);
      faults.docs = await findFaults(page);
      expect(faults).toEqual(Object.fromEntries(Object.keys(faults).map((name) => [name, []])));
      await page.context().close();
    },
  );

  it.each(['light', 'dark'] as const)('leaves its picture for a person to look at: %s', async (colorScheme) => {
    for (const width of [1280, 380]) {
      const { page } = await visit(served.browser(), `${served.service().url}/console`, {
        colorScheme,
        viewport: { width, height: 860 },
      });
      const picture = (name: string) =>
        page.screenshot({ path: `screenshots/${name}-${colorScheme}-${width}.png`, fullPage: true });
      await page.getByLabel('Login').waitFor();
      await picture('sign-in');
      await signIn(page, { keep: true });
      for (const [name, path] of Object.entries(PAGES)) {
        await page.goto(addressOf(path));
        await page.locator('#page h1').first().waitFor();
        await settle(page);
        await picture(name);
      }
      await page.goto(`${served.service().url}/docs`);
      await page.screenshot({ path: `screenshots/docs-${colorScheme}-${width}.png` });
      await page.context().close();
    }
  });
});
