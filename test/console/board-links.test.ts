import { mkdirSync } from 'node:fs';
import { findFaults, settle, signIn, visit } from '../support/service/browser.ts';
import { create } from '../support/service/console-api.ts';
import { served, serveInBrowser } from '../support/service/console-service.ts';
import { describeInBrowser } from '../support/service/in-browser.ts';

const PICTURES = 'test/console/screenshots';
const HTML = '<img src=x onerror="document.title=\'run\'">';
const time = { last: 4, unit: 'week', window_size: 'week' };

describeInBrowser('links to a board', () => {
  serveInBrowser();
  beforeAll(() => void mkdirSync(PICTURES, { recursive: true }));

  it('are made, copied once and ended in a dialog, and show the same numbers to people without an account', async () => {
    const saved = (name: string, request: object) => create('/api/v2/saved_reports', { name, request });
    const whole = { ...time, window_size: 'none' };
    const tiles = [
      { saved_report: await saved(`Created ${HTML}`, { fields: ['case_creates'], time }), shown_as: 'number' },
      { saved_report: await saved('Resolved', { fields: ['resolved_cases'], time }), shown_as: 'line' },
      {
        saved_report: await saved('By channel', { fields: ['case_creates'], time: whole, dimension1: 'channel' }),
        shown_as: 'bars',
      },
      {
        saved_report: await saved('When', {
          ...{ fields: ['case_creates'], time: whole },
          ...{ dimension1: 'weekday', dimension2: 'hour_of_day' },
        }),
        shown_as: 'heat',
      },
      {
        saved_report: await saved('Agents', {
          ...{ fields: ['resolved_cases', 'time_to_resolution:p50'], time: whole, dimension1: 'action_agent' },
        }),
        ...{ shown_as: 'table', width: 2 },
      },
    ];
    const id = await create('/api/v2/boards', { name: `Monday ${HTML}`, tiles });
    const address = `${served.service().url}/console/boards/${id}`;
    const own = await visit(served.browser(), address);
    await signIn(own.page, { keep: true });
    await settle(own.page);
    const figures = await own.page.locator('.tile .figure, .bars .number, td.number .value').allTextContents();
    await own.page.getByRole('button', { name: 'Links…' }).click();
    const dialog = own.page.getByRole('dialog');
    await dialog.getByText('There are no links yet.').waitFor();
    await dialog.getByLabel('Who is it for?').fill(`Board meeting ${HTML}`);
    await dialog.getByRole('button', { name: 'Make a link' }).click();
    const url = await dialog.getByLabel('Address of the link').inputValue();
    await settle(own.page);
    expect(await findFaults(own.page)).toEqual([]);
    await own.page.screenshot({ path: `${PICTURES}/links-1280.png` });
    await own.page.setViewportSize({ width: 380, height: 800 });
    await own.page.screenshot({ path: `${PICTURES}/links-380.png` });

    const asked: string[] = [];
    const { hash, pathname } = new URL(url);
    const link = `${served.service().url}${pathname}${hash}`;
    const other = await visit(served.browser(), 'about:blank');
    other.page.on('request', (request) => asked.push(request.url()));
    await other.page.goto(link);
    await other.page.getByRole('heading', { name: `Monday ${HTML}` }).waitFor();
    await settle(other.page);
    expect(await other.page.locator('.tile .figure, .bars .number, td.number span').allTextContents()).toEqual(figures);
    expect(await other.page.locator('a, dialog, button:not([disabled])').count()).toBe(0);
    expect(await other.page.title()).toBe(`Monday ${HTML}`);
    const api = asked.filter((one) => one.includes('/api/'));
    expect(api).toEqual([`${served.service().url}/api/v2/shared_boards/${hash.slice(1)}`]);
    expect(await findFaults(other.page)).toEqual([]);
    for (const width of [1280, 380]) {
      await other.page.setViewportSize({ width, height: 860 });
      await other.page.screenshot({ path: `${PICTURES}/shared-board-${width}.png`, fullPage: true });
      const wide = await other.page.evaluate('document.documentElement.scrollWidth');
      expect(wide).toBeLessThanOrEqual(width);
    }
    expect([own.errors, other.errors.filter((error) => !error.includes('about:blank'))]).toEqual([[], []]);

    await dialog.getByRole('button', { name: `End the link “Board meeting ${HTML}”` }).click();
    await own.page.getByRole('dialog').last().getByRole('button', { name: 'End', exact: true }).click();
    await dialog.getByText('There are no links yet.').waitFor();
    await other.page.reload();
    await other.page.getByText('This link shows nothing').waitFor();
    await other.page.goto(`${link.split('#')[0]}#nonsense`);
    await other.page.getByText('This link shows nothing').waitFor();
    await own.page.context().close();
    await other.page.context().close();
  });
});
