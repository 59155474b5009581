import { mkdir } from 'node:fs/promises';
import { settle, signIn, visit, type Watched } from '../support/service/browser.ts';
import { api, create } from '../support/service/console-api.ts';
import { served, serveInBrowser } from '../support/service/console-service.ts';
import { describeInBrowser } from '../support/service/in-browser.ts';

const PICTURES = 'test/console/screenshots';

const rangesIn = (covered: string | null): string | undefined => covered?.split(' · ')[0];

async function open(path: string, width = 1280): Promise<Watched> {
  const watched = await visit(served.browser(), `${served.service().url}/console${path}`, {
    viewport: { width, height: 900 },
  });
  await signIn(watched.page);
  await settle(watched.page);
  return watched;
}

describeInBrowser('why a number moved, and paper', () => {
  serveInBrowser();
  beforeAll(async () => {
    await mkdir(PICTURES, { recursive: true });
  });

  it.each([1280, 380])(
    'is told beside a change as the API tells it, and leads to the cases, at %i px',
    async (width) => {
      const { page, errors, foreign } = await open(
        '/report?show=case_creates&per=none&last=7day&compare=previous_period',
        width,
      );
      const sent = page.waitForRequest((request) => request.url().endsWith('/insights3/changes'));
      await page
        .getByRole('button', { name: /^Why did this change/ })
        .first()
        .click();
      const body = (await sent).postDataJSON();
      const panel = page.locator('.why');
      await panel.locator('li').first().waitFor();
      await page.screenshot({ path: `${PICTURES}/why-${width}.png` });
      const reply = Object(
        await (await api('/api/v2/insights3/changes', { method: 'POST', body: JSON.stringify(body) })).json(),
      );
      const [first] = reply.dimensions;
      const lines = await panel.locator('section').first().locator('li .number').allTextContents();
      const numbers = first.members.filter((member: { contribution: number }) => member.contribution !== 0).slice(0, 4);
      const words = panel.locator('p');
      expect(await words.first().textContent()).toMatch(
        /^Created (is (up|down) by \d+, from|is about the same: it is (up|down) by \d+, from) [\d,]+ to [\d,]+/,
      );
      expect(await words.nth(1).textContent()).toBe(await page.locator('.covered').textContent().then(rangesIn));
      const more = panel.getByRole('button', { name: 'Show more' });
      if ((await more.count()) > 0) await more.click();
      const told = (await panel.locator('h3').allTextContents()).concat(await panel.locator('ul li').allTextContents());
      for (const name of ['Channel', 'Weekday', 'Hour of day', 'Status', 'Priority', 'Company'])
        expect([name, told.some((text) => text.includes(name))]).toEqual([name, true]);
      await page.screenshot({ path: `${PICTURES}/why-more-${width}.png` });
      expect(lines.map((line) => /\((.*) → (.*)\)/.exec(line)?.slice(1).map(Number))).toEqual(
        numbers.map(({ before, now }: { before: number; now: number }) => [before, now]),
      );
      const box = await panel.boundingBox();
      expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= width).toBe(true);
      await panel.getByRole('link').first().click();
      await page.getByRole('heading', { name: 'Cases' }).waitFor();
      expect([errors, foreign]).toEqual([[], []]);
      await page.context().close();
    },
  );

  it('is told of a window beside the window before, as its row has both', async () => {
    const { page, errors } = await open('/report?show=case_creates&per=week&last=4week&compare=previous_period');
    const asks = page.getByRole('button', { name: /^Why did this change/ });
    const row = page.locator('table.report tbody tr').filter({ has: asks }).last();
    const numbers = await row.locator('td.number').allTextContents();
    const sent = page.waitForRequest((request) => request.url().endsWith('/insights3/changes'));
    await row.getByRole('button', { name: /^Why did this change/ }).click();
    const body = (await sent).postDataJSON();
    const reply = Object(
      await (await api('/api/v2/insights3/changes', { method: 'POST', body: JSON.stringify(body) })).json(),
    );
    expect([reply.now.value, reply.before.value]).toEqual(numbers.map((number) => Number(/^\d+/.exec(number)?.[0])));
    await page.locator('.why li').first().waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('is asked by mouse of a tile, whose title leads to its report, and of a cell, and reads from the left', async () => {
    for (const path of ['/', '/report?show=case_creates&per=none&last=4w&compare=previous_period']) {
      const { page, errors } = await open(path);
      await page
        .getByRole('button', { name: /^Why did this change/ })
        .first()
        .click();
      await page.locator('.why li').first().waitFor();
      expect(await page.evaluate("getComputedStyle(document.querySelector('dialog h2')).textAlign")).toBe('start');
      expect(errors).toEqual([]);
      await page.context().close();
    }
  });

  it('prints a board without menus and buttons, with its ranges and pictures', async () => {
    const time = { last: 4, unit: 'week', window_size: 'week' };
    const name = '<b>Created</b> & printed';
    const saved_report = await create('/api/v2/saved_reports', { name, request: { fields: ['case_creates'], time } });
    const tiles = ['number', 'line', 'table'].map((shown_as) => ({ saved_report, shown_as }));
    const board = await create('/api/v2/boards', { name: 'On paper', tiles, time: { last: 4, unit: 'week' } });
    const { page, errors } = await open(`/boards/${board}`);
    await page.emulateMedia({ media: 'print' });
    for (const gone of ['.side', '.scope', '.page-head .row', '.popover', '.number-line .button'])
      expect([gone, await page.locator(gone).first().isVisible()]).toEqual([gone, false]);
    for (const kept of ['h1', '.covered', 'figure svg'])
      expect([kept, await page.locator(kept).first().isVisible()]).toEqual([kept, true]);
    await page.screenshot({ path: `${PICTURES}/printed-board.png`, fullPage: true });
    expect(errors).toEqual([]);
    await page.context().close();
  });
});
