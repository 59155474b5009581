import type { Page, Route } from 'playwright-core';
import { settle, signIn, visit } from '../support/service/browser.ts';
import { served, serveInBrowser } from '../support/service/console-service.ts';
import { describeInBrowser } from '../support/service/in-browser.ts';

const AGENTS = 10_000;
const WINDOWS = ['2026-10-05', '2026-10-12', '2026-10-19', '2026-10-26', '2026-11-02'].map((day) => `${day} 00:00:00`);

/** A real report's reply, with ten thousand agents in each of five weeks in the place of its rows. */
async function enlarge(route: Route): Promise<void> {
  const answer = await route.fetch();
  const body = Object(await answer.json());
  const of = (window: string | null) =>
    Array.from({ length: AGENTS }, (_, i) => [window, 1_000_000 + i, null, i, (i * 7) % 1000]);
  const empty = (window: string | null) => [window, null, null, 49_995_000, 4_995_000];
  const totals = { members: of(null), windows: WINDOWS.map(empty), all: [empty(null)] };
  await route.fulfill({ response: answer, json: { ...body, data: WINDOWS.flatMap(of), totals } });
}

async function enlargeMeta(route: Route): Promise<void> {
  const answer = await route.fetch();
  const body = Object(await answer.json());
  const agents = Array.from({ length: AGENTS }, (_, i) => [1_000_000 + i, { name: `Agent ${i}`, deleted: false }]);
  await route.fulfill({ response: answer, json: { ...body, agents: Object.fromEntries(agents) } });
}

const rowsHeld = (page: Page): Promise<number> => page.locator('table.report tbody tr:not(.gap)').count();

describeInBrowser('the console, when there is much or little', () => {
  serveInBrowser();

  it('holds a report of 50,000 rows with the rows in sight alone, and sorts and names all of them', async () => {
    const { page, errors } = await visit(served.browser(), `${served.service().url}/console`);
    await page.route('**/insights3/reports', enlarge);
    await page.route('**/insights3/meta', enlargeMeta);
    await signIn(page, { keep: true });
    await page.goto(
      `${served.service().url}/console/report?show=case_creates,resolved_cases&by=action_agent&per=week&last=5w`,
    );
    await page.getByRole('rowheader', { name: 'Agent 0', exact: true }).first().waitFor();
    await settle(page);
    expect(await page.locator('table.report').getAttribute('aria-rowcount')).toBe('50002');
    expect(await rowsHeld(page)).toBeLessThan(100);
    await page.evaluate("document.querySelector('.table-box').scrollTo(0, 1e9)");
    await page.getByRole('rowheader', { name: 'Agent 9999', exact: true }).first().waitFor();
    expect(await rowsHeld(page)).toBeLessThan(100);
    await page.evaluate("document.querySelector('.table-box').scrollTo(0, 0)");
    await page.getByRole('button', { name: 'Created', exact: true }).click(); // the largest first
    await page.getByRole('rowheader', { name: 'Agent 9999', exact: true }).first().waitFor();
    expect(await page.locator('.legend li, .legend button').count()).toBeLessThan(20);
    await page
      .getByRole('button', { name: /^Agent who acted/ })
      .first()
      .click();
    await page.getByRole('searchbox').fill('Agent 9876');
    expect(await page.locator('.pick .option').count()).toBe(1);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('measures times in working hours where a report has any, and says so in the address', async () => {
    const { page } = await visit(
      served.browser(),
      `${served.service().url}/console/report?show=case_creates&per=week&last=4w`,
    );
    await signIn(page);
    await settle(page);
    expect(await page.getByLabel('Measure times in').count()).toBe(0);
    await page.getByRole('button', { name: 'Add a number' }).click();
    await page.getByRole('button', { name: 'First response', exact: true }).first().click();
    await page.keyboard.press('Escape');
    const asked = page.waitForRequest((request) => request.postData()?.includes('"hours":"business"') ?? false);
    await page.getByLabel('Measure times in').selectOption({ label: 'Working hours' });
    await asked;
    expect(new URL(page.url()).searchParams.get('hours')).toBe('business');
    await page.context().close();
  });

  it('works in a browser without storage, and forgets who signed in', async () => {
    const { page, errors } = await visit(served.browser(), `${served.service().url}/console`);
    await page.addInitScript(`for (const name of ['sessionStorage', 'localStorage'])
      Object.defineProperty(window, name, { get() { throw new DOMException('no storage', 'SecurityError'); } });`);
    await page.reload();
    await signIn(page, { keep: true });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });
});
