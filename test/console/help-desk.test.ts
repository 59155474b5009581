import { startZammad, type ZammadDesk } from '../support/desks/zammad-desk.ts';
import { startZendesk } from '../support/desks/zendesk-desk.ts';
import { findFaults, settle, signIn, visit, type Watched } from '../support/service/browser.ts';
import { api, loadCases } from '../support/service/console-api.ts';
import { served, serveInBrowser } from '../support/service/console-service.ts';
import { describeInBrowser } from '../support/service/in-browser.ts';

const DAY = 86_400_000;
const WIDTHS = { wide: 1280, phone: 380 } as const;

async function open(path: string, width: number = WIDTHS.wide): Promise<Watched> {
  const watched = await visit(served.browser(), `${served.service().url}/console${path}`, {
    viewport: { width, height: 860 },
  });
  await signIn(watched.page);
  await settle(watched.page);
  return watched;
}

/** Takes pictures of a page at both widths, and returns what axe finds. */
async function pictures({ page }: Watched, name: string): Promise<string[]> {
  const faults: string[] = [];
  for (const width of Object.values(WIDTHS)) {
    await page.setViewportSize({ width, height: 860 });
    await page.screenshot({ path: `screenshots/${name}-${width}.png`, fullPage: true });
    faults.push(...(await findFaults(page)));
    const isWider = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
    if (isWider === true) faults.push(`wider than ${width}`);
  }
  await page.setViewportSize({ width: WIDTHS.wide, height: 860 });
  return faults;
}

const shown = async () => Object(await (await api('/api/v2/connections')).json())._embedded.entries[0];

describeInBrowser('the page of the help desk', () => {
  serveInBrowser();
  let desk: ZammadDesk;
  beforeAll(async () => {
    desk = await startZammad();
    desk.add(40, Date.now() - 40 * DAY, Date.now() - 3_600_000);
  });
  afterAll(() => desk?.close());

  it('connects, says what is wrong at the field it is about, and then how far it is', async () => {
    const watched = await open('/settings/desk');
    const { page, errors, foreign } = watched;
    await page.getByRole('button', { name: 'Connect Zendesk' }).waitFor();
    expect(await pictures(watched, 'help-desk-cards')).toEqual([]);
    await page.getByRole('button', { name: 'Connect Zammad' }).click();
    const dialog = page.getByRole('dialog', { name: 'Connect Zammad' });
    await dialog.getByLabel('Address').fill(desk.url);
    await dialog.getByLabel('Token').fill('wrong-token');
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await dialog.getByText(/refuses the credentials: 401/).waitFor();
    expect(await pictures(watched, 'help-desk-connect')).toEqual([]);
    expect(await shown()).toBeUndefined();
    await dialog.getByLabel('Address').fill('http://169.254.169.254');
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await dialog.getByText(/no address that this service may call/).waitFor();
    await dialog.getByLabel('Address').fill(desk.url);
    await dialog.getByLabel('Token').fill('right-token');
    await dialog.getByRole('button', { name: 'Connect' }).click();
    const secret = String(await page.locator('dialog code.secret').textContent());
    expect(secret).toMatch(/^[0-9a-f]{48}$/);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByText('all are in (40)').waitFor();
    await settle(page);
    const { doorbell } = await shown();
    expect(await page.locator('.card code.secret').textContent()).toBe(doorbell.url);
    expect(await page.getByText(secret).count()).toBe(0);
    expect([errors, foreign]).toEqual([[], []]);
  });

  it('pulls, and checks with each difference and its story', async () => {
    desk.tickets[4]!.article_count = 77;
    const watched = await open('/settings/desk');
    const { page } = watched;
    const before = (await shown()).last_pull.started_at;
    await page.getByRole('button', { name: 'Pull now' }).click();
    await page.getByText('A pull begins.').waitFor();
    while ((await shown()).last_pull.started_at === before) await page.waitForTimeout(100);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('cell', { name: '77' }).waitFor();
    const row = page.getByRole('row').filter({ hasText: '77' });
    await row.getByText('nothing explains it').click();
    await row.getByText(/is created/).waitFor();
    await settle(page);
    expect(await pictures(watched, 'help-desk')).toEqual([]);
    delete (desk.tickets[4] as { article_count?: unknown }).article_count;
  });

  it('says on every page of numbers up to when they are, and why they are late', async () => {
    for (const path of ['', '/report', '/boards/1', '/cases?show=new_cases']) {
      const { page } = await open(path);
      if (path === '/boards/1' && (await page.locator('.covered').count()) === 0) continue;
      await page
        .locator('.covered')
        .getByText(/Zammad as of \d+:\d\d/)
        .waitFor();
      await page.context().close();
    }
    const { page } = await open('/settings/desk');
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused', { exact: true }).waitFor();
    const watched = await open('');
    await watched.page
      .locator('.covered')
      .getByText(/late: the connection is paused/)
      .waitFor();
    expect(await pictures(watched, 'help-desk-late')).toEqual([]);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Live', { exact: true }).waitFor();
  });

  it('shows an error with what to do, takes a new token, and disconnects', async () => {
    desk.token = 'next-token';
    const watched = await open('/settings/desk');
    const { page } = watched;
    await page.getByRole('button', { name: 'Pull now' }).click();
    await page.getByText('Give a new token', { exact: false }).waitFor();
    await page.getByText('Failing; it goes on trying').waitFor();
    expect(await pictures(watched, 'help-desk-failing')).toEqual([]);
    await page.getByRole('button', { name: 'New token' }).click();
    const dialog = page.getByRole('dialog', { name: 'New token' });
    await dialog.getByLabel('Token').fill('wrong');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/refuses the credentials/).waitFor();
    await dialog.getByLabel('Token').fill('next-token');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Disconnect' }).click();
    const asks = page.getByRole('dialog', { name: /Disconnect / });
    await asks.getByLabel('Its facts').selectOption('remove');
    await asks.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('button', { name: 'Connect Zammad' }).waitFor();
    expect(await shown()).toBeUndefined();
  });

  it('asks what becomes of files of the same help desk', async () => {
    const zendesk = await startZendesk({ now: Date.now() });
    zendesk.add(3, Date.now() - 10 * DAY, Date.now() - DAY);
    await loadCases('fivetran-zendesk', ['7']);
    const { page } = await open('/settings/desk');
    await page.getByRole('button', { name: 'Connect Zendesk' }).click();
    const dialog = page.getByRole('dialog', { name: 'Connect Zendesk' });
    await dialog.getByLabel('Address').fill(zendesk.url);
    await dialog.getByLabel('Login').fill('ann@acme.example');
    await dialog.getByLabel('Token').fill('right-token');
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await dialog.getByText(/remove fivetran-zendesk first/).waitFor();
    await dialog.getByLabel('They stay, and may count twice').check();
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await page.getByText('all are in (3)').waitFor();
    await zendesk.close();
  });
});
