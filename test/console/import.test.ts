import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { DEMO_PASSWORD, demoLogin } from '../../infra/demo/users.ts';
import { findFaults, settle, signIn, visit, type Watched } from '../support/service/browser.ts';
import { served, serveInBrowser } from '../support/service/console-service.ts';
import { describeInBrowser } from '../support/service/in-browser.ts';

/** An export that leaves open what "Parked" and "Odd" mean, and the zone of its times. */
const ROWS = [
  'Ticket,Created at,First seen,Status,Agent',
  ...Array.from(
    { length: 40 },
    (_, i) => `T${i},2026-01-05 10:00:0${i % 10},2026-01-04 09:${10 + i}:00,${i % 2 ? 'Odd' : 'Parked'},Ann`,
  ),
  'T99,some day,some day,Odd,Bob',
];
const MOST_TABS = 60;
const FILE = { name: 'tickets.csv', mimeType: 'text/csv', buffer: Buffer.from(ROWS.join('\n')) };

async function open(path: string): Promise<Watched> {
  const watched = await visit(served.browser(), `${served.service().url}${path}`);
  await signIn(watched.page);
  await settle(watched.page);
  return watched;
}

/** Waits until nothing works on the file any more. */
const whileWorking = (page: Page): Promise<void> => page.locator('progress').waitFor({ state: 'detached' });

async function bring(page: Page, file: { readonly name: string; readonly mimeType: string; readonly buffer: Buffer }) {
  await page.locator('#file').setInputFiles(file);
  await page.getByRole('heading', { name: file.name, level: 1 }).waitFor();
  await whileWorking(page);
}

/** Answers the questions of a file until there is none: its values by a meaning, all else as suggested. */
async function answerAll(page: Page, meaning: string): Promise<void> {
  const use = page.getByRole('button', { name: 'Use these answers' });
  for (let round = 0; round < 3 && (await use.count()) > 0; round += 1) {
    for (const select of await page.locator('.question select').all()) await select.selectOption({ label: meaning });
    for (const card of await page.locator('.question').all()) {
      if ((await card.locator('select').count()) > 0) continue;
      await card
        .locator('button')
        .filter({ hasText: /suggested|^Use/ })
        .first()
        .click();
    }
    await sent(page, () => use.click());
  }
}

/** Clicks on something that corrects the file, and waits until it has been checked again. */
async function sent(page: Page, click: () => Promise<void>): Promise<void> {
  const answer = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await click();
  await answer;
  await settle(page);
  await whileWorking(page);
}

describeInBrowser('a file in the console', () => {
  serveInBrowser();

  it('asks what it leaves open, is corrected by clicks, loaded, looked at, and undone', async () => {
    const { page, errors, foreign } = await open('/console/import');
    await bring(page, FILE);
    await page.getByText('Nothing has been stored yet.').waitFor();
    expect(await page.getByRole('button', { name: 'Load it' }).count()).toBe(0);
    expect(await findFaults(page)).toEqual([]);
    await answerAll(page, 'Pending');
    const means = (column: string) => page.getByLabel(`What ${column} means`);
    await means('First seen').selectOption({ label: 'Created at' });
    expect(await means('Created at').inputValue()).not.toBe('created');
    await sent(page, () => page.getByRole('button', { name: 'Try it with these changes' }).click());
    await answerAll(page, 'Pending');
    await page.getByText('1 of its lines cannot be used').waitFor();
    expect(await means('First seen').inputValue()).toBe('created');
    expect(await page.getByLabel('Odd', { exact: true }).locator('option:checked').innerText()).toBe('Pending');
    expect(await findFaults(page)).toEqual([]);

    await page.getByRole('button', { name: 'Load it' }).click();
    await whileWorking(page);
    await page.getByText('Loaded. Rejected lines: 1.').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download 1 rejected line' }).click();
    expect(await readFile(await (await download).path(), 'utf8')).toContain('T99,some day');
    expect(await findFaults(page)).toEqual([]);
    expect(await page.getByRole('link', { name: 'See the numbers' }).getAttribute('href')).toContain('from=2026-01-04');

    await page.getByRole('button', { name: 'Undo this import' }).click();
    const asked = page.getByRole('dialog', { name: 'Take back everything that tickets.csv added and changed?' });
    expect(await findFaults(page)).toEqual([]);
    await asked.getByRole('button', { name: 'Undo this import' }).click();
    await whileWorking(page);
    await page.getByText('Undone: reports count nothing of this file any more.').waitFor();
    await page.getByRole('link', { name: 'All imports' }).click();
    await page.getByRole('link', { name: 'tickets.csv' }).waitFor();
    expect([errors, foreign]).toEqual([[], []]);
    await page.context().close();
  });

  it('is corrected where something in it is wrong: a column, a row, and an event of a case after loading', async () => {
    const { page, errors } = await open('/console/import');
    const rows = Array.from({ length: 12 }, (_, i) => `W${i},2026-02-0${1 + (i % 9)}T10:00:00Z,Solved,24`);
    const csv = ['Ticket,Created at,Status,Resolution time (hours)', ...rows].join('\n');
    await bring(page, { name: 'wrong.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await page.getByText('Nothing has been stored yet.').waitFor();
    await page.getByText('is now resolved').first().waitFor();

    await page.getByRole('button', { name: 'Something wrong: row 1', exact: true }).click();
    const row = page.getByRole('dialog', { name: 'Row 1, as it is understood' });
    expect(await row.getByRole('listitem').allInnerTexts()).toContainEqual(
      expect.stringMatching(/Status: Solved\s+Status: Resolved/),
    );
    expect(await findFaults(page)).toEqual([]);
    await row.getByRole('button', { name: 'Something wrong: Resolution time (hours)' }).click();
    const column = page.getByRole('dialog', { name: 'What is in “Resolution time (hours)”?' });
    await column
      .getByLabel('The durations in Resolution time (hours) are in')
      .selectOption({ label: 'minutes: half of them last 24 minutes or longer' });
    expect(await findFaults(page)).toEqual([]);
    await sent(page, () => column.getByRole('button', { name: 'Try it with these changes' }).click());
    await page
      .getByText(/5:24:00\sAM/)
      .first()
      .waitFor(); // in the site's zone, New York

    await page.getByRole('button', { name: 'Something wrong: Status', exact: true }).click();
    const status = page.getByRole('dialog', { name: 'What is in “Status”?' });
    await status.getByLabel('Solved', { exact: true }).selectOption({ label: 'Closed' });
    await sent(page, () => status.getByRole('button', { name: 'Try it with these changes' }).click());
    await page.getByText('is now closed').first().waitFor();

    await page.getByRole('button', { name: 'Load it' }).click();
    await whileWorking(page);
    await page.getByText('Loaded, every line.').waitFor();
    const story = page.getByRole('link', { name: /^Case W/ }).first();
    expect(await story.getAttribute('href')).toBe(`/console/cases/${(await story.innerText()).slice('Case '.length)}`);
    await page
      .getByRole('button', { name: /Something wrong: case W\d+ is now closed/ })
      .first()
      .click();
    const event = page.getByRole('dialog', { name: 'What decides “is now closed”?' });
    await event.getByText('What this import added is taken back').waitFor();
    expect(await findFaults(page)).toEqual([]);
    await event.getByLabel('Solved', { exact: true }).selectOption({ label: 'Resolved' });
    await sent(page, () => event.getByRole('button', { name: 'Take it back and try again' }).click());
    await page.getByText('is now resolved').first().waitFor();
    await page.getByRole('button', { name: 'Discard the file' }).click();
    await page.getByText('Undone').first().waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('is in numbers that were looked at before, without a reload, also of who leaves its page meanwhile', async () => {
    const days = '?from=2019-01-04&until=2019-01-06';
    const { page, errors } = await open(`/console${days}`);
    const none = page.getByText('Nothing in this period');
    await none.waitFor();
    const menu = (name: string): Promise<void> => page.getByRole('link', { name, exact: true }).first().click();
    await menu('Import');
    const rows = Array.from({ length: 12 }, (_, i) => `N${i},2019-01-0${4 + (i % 2)}T15:00:00Z,open`);
    const csv = ['Ticket,Created at,Status', ...rows].join('\n');
    await bring(page, { name: 'older.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await page.getByRole('button', { name: 'Load it' }).click();
    await whileWorking(page);
    const look = page.getByRole('link', { name: 'See the numbers' });
    expect(await look.getAttribute('href')).toContain(days);
    await look.click();
    await page.locator('.tile').first().waitFor();
    expect(await none.count()).toBe(0);

    await page.goBack();
    await page.getByRole('button', { name: 'Undo this import' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo this import' }).click();
    await page.locator('progress').waitFor();
    const known = page.waitForResponse((response) => response.url().endsWith('/report_definitions'));
    await menu('Import');
    await known;
    for (let step = 0; step < 3; step += 1) await page.goBack();
    await none.waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('fits into 380 px, with controls that are big enough to touch', async () => {
    const { page, errors } = await open('/console/import');
    await page.setViewportSize({ width: 380, height: 800 });
    const columns = ['Ticket', 'Created at', 'Status', 'Priority', 'Agent', 'Product line of the customer', 'Notes'];
    const rows = Array.from({ length: 30 }, (_, i) => [
      `P${i}`,
      `2026-03-0${1 + (i % 9)}T10:00:00Z`,
      i % 3 ? 'Parked' : 'Odd',
      i % 2 ? 'Low' : 'High',
      'Ann',
      `L${i % 3}`,
      'a',
    ]);
    const csv = [columns, ...rows].map((row) => row.join(',')).join('\n');
    await bring(page, { name: 'narrow.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await page.getByLabel('What Status means').waitFor();
    const fits = async () => {
      for (const closed of await page.locator('main details:not([open]) > summary').all()) await closed.click();
      const small = await page.locator('main').evaluate((main) =>
        [...main.querySelectorAll('a, button, select, summary, input:not([type=file])')]
          .filter((each) => each.checkVisibility())
          .map((each) => {
            const { width, height } = (each.closest('label') ?? each).getBoundingClientRect();
            return [each.outerHTML.slice(0, 90), width, height] as const;
          })
          .filter(([, width, height]) => width < 24 || height < 24),
      );
      return [small, await page.evaluate('document.documentElement.scrollWidth')];
    };
    expect(await fits()).toEqual([[], 380]); // WCAG 2.5.8
    await answerAll(page, 'Pending');
    expect(await fits()).toEqual([[], 380]);
    await page.getByRole('button', { name: 'Something wrong: row 1', exact: true }).click();
    await page.getByRole('dialog').waitFor();
    expect(await fits()).toEqual([[], 380]);
    expect(await findFaults(page)).toEqual([]);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('that is no known export after all is read as one that nobody described', async () => {
    const { page, errors } = await open('/console/import');
    const rows = Array.from(
      { length: 9 },
      (_, i) => `${i},Open,Email,${11 + i} January 2025 13:30,,2${i} January 2025 14:30`,
    );
    const csv = ['Ticket ID,Status,Source,Created time,Resolved time,Last update time', ...rows].join('\n');
    await bring(page, { name: 'differs.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await page.getByText('Created time:').first().waitFor();
    expect(await findFaults(page)).toEqual([]);
    await sent(page, () => page.getByRole('button', { name: 'Read it as a file that nobody described' }).click());
    await answerAll(page, 'Open');
    await page.getByRole('button', { name: 'Load it' }).waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('with a value of which nothing is proposed waits until a person has chosen', async () => {
    const { page, errors } = await open('/console/import');
    const day = (of: number, time: string): string => `2025-01-${String(of).padStart(2, '0')} ${time}`;
    const rows = Array.from({ length: 12 }, (_, i) =>
      [
        ...[`T-${i}`, i % 2 ? 'Closed' : 'Open', day(i + 3, '09:30:00'), i % 2 ? day(i + 4, '15:40:00') : ''],
        i % 3 ? day(i + 3, `11:${10 + i}:00`) : '',
      ].join(','),
    );
    const csv = ['Ticket,Status,Created,Solved,Team looked at it', ...rows].join('\n');
    await bring(page, { name: 'left.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    const use = page.getByRole('button', { name: 'Use these answers' });
    await page.getByRole('button', { name: /^Use America/ }).click();
    const times = page.getByLabel('Team looked at it', { exact: true });
    expect(await times.locator('option:checked').innerText()).toBe('Choose…');
    expect(await use.isDisabled()).toBe(true);
    await page.getByRole('listitem').filter({ hasText: 'What are the times in these columns?' }).waitFor();
    expect(await findFaults(page)).toEqual([]);
    await times.selectOption({ label: 'None of these' });
    await sent(page, () => use.click());
    await page.getByRole('button', { name: 'Load it', exact: true }).waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('with numbers as priorities asks which is urgent, beside their list', async () => {
    const { page, errors } = await open('/console/import');
    const rows = Array.from({ length: 12 }, (_, i) => `T-${i},Open,2025-01-${10 + i} 09:30:00,${1 + (i % 4)}`);
    const csv = ['Ticket,Status,Created,Priority', ...rows].join('\n');
    await bring(page, { name: 'numbers.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await page.getByText(/^1: 3 rows/).waitFor();
    await page.getByRole('button', { name: /^4: the smallest is the least urgent/ }).click();
    for (const zone of await page.getByRole('button', { name: /^Use America/ }).all()) await zone.click();
    expect(await findFaults(page)).toEqual([]);
    await answerAll(page, 'Unknown');
    await page.getByRole('button', { name: 'Load it', exact: true }).waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('is brought, loaded and undone by keyboard alone', async () => {
    const { page, errors } = await open('/console/import');
    const reach = async (label: string): Promise<void> => {
      const reached = 'document.activeElement.innerText || document.activeElement.getAttribute("aria-label")';
      for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
        if (String(await page.evaluate(reached)).trim() === label) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`${label} is not reached by ${MOST_TABS} tabs`);
    };
    const press = async (label: string): Promise<void> => {
      await reach(label);
      await page.keyboard.press('Enter');
    };
    const asked = page.waitForEvent('filechooser');
    await press('Choose a file');
    await (await asked).setFiles({ ...FILE, name: 'by-keyboard.csv' });
    await page.getByText('Nothing has been stored yet.').waitFor();
    await press('Use America/New_York');
    await press('Use these answers');
    await page.getByRole('button', { name: 'Load it', exact: true }).waitFor();
    await press('Load it');
    await page.getByText('Loaded. Rejected lines: 1.').waitFor();
    await press('Undo this import');
    await page.getByRole('dialog').waitFor();
    await press('Undo this import');
    await page.getByText('Undone').first().waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('can be dropped; one that is nothing says so, and can be discarded', async () => {
    const { page } = await open('/console/import');
    const data = await page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array([137, 80, 78, 71, 0, 1, 2])], 'photo.png'));
      return data;
    })()`);
    await page.dispatchEvent('.drop', 'drop', { dataTransfer: data });
    await page.getByText('photo.png is a picture').waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Discard the file' }).click();
    await page.getByText('Undone').first().waitFor();
    await page.context().close();
  });

  it('that breaks off on its way leaves nothing, and can be sent again', async () => {
    const { page } = await open('/console/import');
    const before = await page.locator('.thing').count();
    await page.route('**/api/v2/imports?name=*', (route) => route.abort('connectionreset'));
    await page.locator('#file').setInputFiles(FILE);
    await page.getByText('The connection broke before the whole file had arrived.').waitFor();
    await page.unroute('**/api/v2/imports?name=*');
    await page.reload();
    await page.locator('.drop').waitFor();
    await settle(page);
    expect(await page.locator('.thing').count()).toBe(before);
    await bring(page, FILE);
    await page.getByText('Nothing has been stored yet.').waitFor();
    await page.context().close();
  });

  it('is not for a role without the right', async () => {
    const { page } = await visit(served.browser(), `${served.service().url}/console`);
    await page.getByLabel('Login').fill(demoLogin('Business Manager'));
    await page.getByLabel('Password').fill(DEMO_PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('.tile').first().waitFor();
    expect(await page.getByRole('link', { name: 'Import', exact: true }).count()).toBe(0);
    await page.context().close();
  });
});
