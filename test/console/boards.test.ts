import type { Page } from 'playwright-core';
import { reach, settle, signIn, visit, type Watched } from '../support/service/browser.ts';
import { api, create } from '../support/service/console-api.ts';
import { served, serveInBrowser } from '../support/service/console-service.ts';
import { eventually } from '../support/service/eventually.ts';
import { describeInBrowser } from '../support/service/in-browser.ts';

const TIME = { last: 4, unit: 'week', window_size: 'week' };
const BY_CHANNEL = { fields: ['case_creates'], time: { ...TIME, window_size: 'none' }, dimension1: 'channel' };

async function open(path: string): Promise<Watched> {
  const watched = await visit(served.browser(), `${served.service().url}/console${path}`);
  await signIn(watched.page, { keep: true });
  await settle(watched.page);
  return watched;
}

const boardOf = async (id: number | string) => Object(await (await api(`/api/v2/boards/${id}`)).json());
const titlesOf = (page: Page): Promise<string[]> => page.locator('ol.things h2').allTextContents();

describeInBrowser('boards in the console', () => {
  serveInBrowser();
  let reports: readonly number[];
  beforeAll(async () => {
    reports = [
      await create('/api/v2/saved_reports', { name: 'Created', request: { fields: ['case_creates'], time: TIME } }),
      await create('/api/v2/saved_reports', { name: 'By channel', request: BY_CHANNEL }),
      await create('/api/v2/saved_reports', { name: 'Resolved', request: { fields: ['resolved_cases'], time: TIME } }),
    ];
  });
  const make = (name: string, ways: readonly string[]): Promise<number> => {
    const tiles = ways.map((shown_as, index) => ({ saved_report: reports[index], shown_as }));
    return create('/api/v2/boards', { name, tiles, time: { last: 4, unit: 'week' } });
  };

  it('builds one by keyboard alone, and shows what the API says', async () => {
    const { page, errors, foreign } = await open('/boards');
    await reach(page, 'New board');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('My Monday');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Edit “My Monday”' }).waitFor();
    for (const report of ['By channel', 'Created']) {
      await reach(page, 'Add a tile');
      await page.keyboard.press('Enter');
      await reach(page, report, 'ArrowDown');
      await page.keyboard.press('Enter');
      await reach(page, `Shown as: ${report}`, 'Shift+Tab');
      await page.keyboard.press(report === 'By channel' ? 'B' : 'N'); // Bars, Number
    }
    expect(await titlesOf(page)).toEqual(['By channel', 'Created']);
    await reach(page, 'Move Created earlier');
    await page.keyboard.press('Enter');
    await page.getByText('Created: place 1 of 2.').waitFor();
    expect(await titlesOf(page)).toEqual(['Created', 'By channel']);
    await reach(page, 'Move Created later'); // the focus went with the tile
    await reach(page, 'Save', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'My Monday', exact: true }).waitFor();
    await settle(page);
    const board = await boardOf(page.url().split('/').at(-1) ?? '');
    expect(board.tiles.map((tile: { shown_as: string }) => tile.shown_as)).toEqual(['number', 'bars']);

    const asked = await api('/api/v2/insights3/reports', { method: 'POST', body: JSON.stringify(BY_CHANNEL) });
    const rows: [null, number, null, number][] = Object(await asked.json()).data;
    const bars = await page.locator('.bars .number').allTextContents();
    expect(bars.map(Number).sort()).toEqual(rows.map(([, , , count]) => count).sort());
    const total = rows.reduce((sum, [, , , count]) => sum + count, 0);
    expect(Number(await page.locator('.tile .figure').first().getAttribute('data-value'))).toBe(total);
    expect([errors, foreign]).toEqual([[], []]);
    await page.context().close();
  });

  it('moves a tile by drag, and keeps the order', async () => {
    const id = await make('Dragged', ['number', 'bars', 'line']);
    const { page } = await open(`/boards/${id}?edit=`);
    await page.locator('ol.things li').nth(0).dragTo(page.locator('ol.things li').nth(2));
    expect(await titlesOf(page)).toEqual(['By channel', 'Resolved', 'Created']);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Dragged', exact: true }).waitFor();
    expect((await boardOf(id)).tiles.map((tile: { shown_as: string }) => tile.shown_as)).toEqual([
      'bars',
      'line',
      'number',
    ]);
    await page.context().close();
  });

  it('lets nobody undo another person’s move unasked', async () => {
    const id = await make('Shared', ['number', 'bars']);
    const { page } = await open(`/boards/${id}?edit=`);
    await page.getByRole('button', { name: 'Move By channel earlier' }).click();
    const theirs = { name: 'Shared by two' };
    await api(`/api/v2/boards/${id}`, { method: 'PATCH', body: JSON.stringify(theirs) });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Somebody else changed this meanwhile').waitFor();
    expect((await boardOf(id)).tiles[0].shown_as).toBe('number');
    await page.getByRole('button', { name: 'Take theirs' }).click();
    await eventually(
      () => page.getByLabel('Name', { exact: true }).inputValue(),
      (value) => expect(value).toBe('Shared by two'),
    );
    expect(await titlesOf(page)).toEqual(['Created', 'By channel']);
    await page.context().close();
  });

  it('asks before what is not saved is left, by a link and by going back', async () => {
    const id = await make('Careful', ['number', 'bars']);
    const { page } = await open(`/boards/${id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Move By channel earlier' }).click();
    for (const leave of [() => page.getByRole('link', { name: 'Topics' }).click(), () => page.goBack()]) {
      await leave();
      await page.getByRole('dialog', { name: /not saved/ }).waitFor();
      await page.getByRole('button', { name: 'Stay' }).click();
      expect(await titlesOf(page)).toEqual(['By channel', 'Created']);
      expect(new URL(page.url()).searchParams.has('edit')).toBe(true);
    }
    await page.getByRole('link', { name: 'Topics' }).click();
    await page.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { name: 'Topics' }).waitFor();
    expect((await boardOf(id)).tiles[0].shown_as).toBe('number');
    await page.context().close();
  });

  it('makes the overview one’s own, with the same numbers', async () => {
    const { page } = await open('');
    const figures = () =>
      page.evaluate(
        "[...document.querySelectorAll('.tile .figure')].map(({ dataset }) => dataset.field + ' ' + dataset.value).join()",
      );
    const shipped = await figures();
    await page.getByRole('link', { name: 'Boards' }).click();
    await page.getByRole('button', { name: 'Copy: Overview' }).click();
    await page.getByRole('heading', { name: 'Overview (copy)' }).waitFor();
    await page.locator('.bars button').first().waitFor();
    await settle(page);
    expect(await figures()).toBe(shipped);
    await page.context().close();
  });

  it('filters all tiles by a click on a bar, in the address', async () => {
    const id = await make('Filtered', ['number', 'bars']);
    const { page } = await open(`/boards/${id}`);
    const bar = page.locator('.bars button').first();
    const [name, count] = [await bar.locator('.name').textContent(), await bar.locator('.number').textContent()];
    await bar.click();
    await page.getByRole('button', { name: `Filter the board to ${name}` }).click();
    await page.locator('.bars button').nth(1).waitFor({ state: 'detached' });
    await settle(page);
    expect(await page.locator('.tile .figure').first().textContent()).toBe(count);
    expect(new URL(page.url()).searchParams.get('where')).toContain('Channels');
    expect((await boardOf(id)).filters).toBeNull();
    await page.context().close();
  });

  it('refreshes the wall every five minutes, all tiles at once, and keeps them when that fails', async () => {
    const id = await make('Wall', ['number', 'bars']);
    const { page } = await open(`/boards/${id}`);
    await page.clock.install();
    await page.goto(`${served.service().url}/console/boards/${id}?wall=`);
    const answers: string[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('/insights3/reports')) answers.push(String(response.status()));
    });
    await page.locator('.bars button').first().waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    const seen = await page.locator('.tile .figure').first().textContent();
    expect(seen).toMatch(/^[\d,]+$/);
    const before = answers.length;
    await page.clock.fastForward(5 * 60_000 + 1_000);
    await eventually(
      () => answers.length,
      (value) => expect(value).toBe(before + 2),
    );
    await settle(page);
    await page.clock.runFor(2_000);
    await page.route('**/insights3/reports', (route) => route.fulfill({ status: 503, json: { message: 'no' } }));
    await page.clock.fastForward(5 * 60_000 + 1_000);
    await eventually(
      () => answers.length,
      (value) => expect(value).toBe(before + 4),
    );
    await settle(page);
    await page.clock.runFor(2_000);
    expect(await page.locator('.tile .figure').first().textContent()).toBe(seen);
    await page.keyboard.press('Escape');
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    await page.context().close();
  });

  it('says of a tile that its report was deleted, and lets it be removed', async () => {
    const gone = await create('/api/v2/saved_reports', { name: 'Short-lived', request: BY_CHANNEL });
    const tiles = [gone, reports[1]].map((saved_report) => ({ saved_report, shown_as: 'bars' }));
    const id = await create('/api/v2/boards', { name: 'With a hole', tiles });
    await api(`/api/v2/saved_reports/${gone}`, { method: 'DELETE' });
    const { page } = await open(`/boards/${id}`);
    await page.getByRole('heading', { name: 'This report was deleted' }).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Remove: This report was deleted' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'With a hole', exact: true }).waitFor();
    expect((await boardOf(id)).tiles).toHaveLength(1);
    await page.context().close();
  });
});
