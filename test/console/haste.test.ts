import type { Page } from 'playwright-core';
import { settle, signIn, visit } from '../support/service/browser.ts';
import { api, create } from '../support/service/console-api.ts';
import { served, serveInBrowser } from '../support/service/console-service.ts';
import { eventually } from '../support/service/eventually.ts';
import { hold } from '../support/service/hold.ts';
import { describeInBrowser } from '../support/service/in-browser.ts';

const SAVED = '/api/v2/saved_reports';
const REQUEST = { fields: ['case_creates'], time: { last: 4, unit: 'week', window_size: 'week' } };
const TILE = { shown_as: 'number', width: 1, pinned: false };

async function open(path: string): Promise<Page> {
  const { page } = await visit(served.browser(), `${served.service().url}/console${path}`);
  await signIn(page, { keep: true });
  await settle(page);
  return page;
}

const entriesOf = async (path: string): Promise<Record<string, unknown>[]> =>
  Object(await (await api(`${path}?per_page=1000`)).json())._embedded.entries;

/** A place where something is made: its page, the list that grows, and what is done before the last button is pressed. */
interface Making {
  readonly at: string;
  readonly list: string;
  readonly prepare?: (page: Page) => Promise<unknown>;
  readonly button: string;
}

const MAKINGS: Readonly<Record<string, () => Promise<Making>>> = {
  'an action of a macro': async () => {
    const id = await create('/api/v2/macros', { name: 'Twice' });
    const prepare = async (page: Page): Promise<void> => {
      await page.getByLabel('What it does').selectOption({ label: 'Set description' });
      await page.getByLabel('Value').fill('Twice');
    };
    return { at: `/macros/${id}`, list: `/api/v2/macros/${id}/actions`, prepare, button: 'Add an action' };
  },
  'a translation of a topic': async () => {
    const id = await create('/api/v2/topics', { name: 'Twice' });
    const prepare = (page: Page) => page.locator('.translation.missing').last().getByLabel('Name').fill('Zweimal');
    return { at: `/topics/${id}`, list: `/api/v2/topics/${id}/translations`, prepare, button: 'Create' };
  },
  'a copy of a saved report': async () => {
    await create(SAVED, { name: 'Report, twice', request: REQUEST });
    return { at: '/saved', list: SAVED, button: 'Duplicate: Report, twice' };
  },
  'a saved report': async () => {
    const prepare = async (page: Page): Promise<void> => {
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('Saved twice');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).isEnabled();
    };
    return { at: '/report?show=case_creates&per=week&last=4w', list: SAVED, prepare, button: 'Save' };
  },
  'a copy of a board': async () => {
    const report = await create(SAVED, { name: 'On a board', request: REQUEST });
    const tiles = [{ ...TILE, saved_report: report }];
    const id = await create('/api/v2/boards', { name: 'Board, twice', tiles, time: null, filters: null });
    return { at: `/boards/${id}`, list: '/api/v2/boards', button: 'Copy' };
  },
  'a calendar': async () => ({ at: '/settings/hours', list: '/api/v2/calendars', button: 'New calendar' }),
  'a mail': async () => {
    const report = await create(SAVED, { name: 'By mail', request: REQUEST });
    const prepare = async (page: Page): Promise<void> => {
      await page.getByRole('button', { name: /^Add a recipient/ }).click();
      await page.locator('.panel .option').first().click();
      await page.keyboard.press('Escape');
    };
    return { at: `/mails/new?saved_report=${report}`, list: '/api/v2/subscriptions', prepare, button: 'Create' };
  },
};

describeInBrowser('somebody in haste', () => {
  serveInBrowser();

  it.each(Object.keys(MAKINGS))('makes %s once by a double click', async (what) => {
    const { at, list, prepare, button } = (await MAKINGS[what]?.()) ?? { at: '', list: '', button: '' };
    const page = await open(at);
    await prepare?.(page);
    const held = await hold(page, 'POST', list);
    const before = (await entriesOf(list)).length;
    await page.getByRole('button', { name: button, exact: true }).last().dblclick();
    await eventually(held.count, (value) => expect(value).toBe(1));
    held.release();
    await settle(page);
    expect([held.count(), (await entriesOf(list)).length]).toEqual([1, before + 1]);
    await page.context().close();
  });

  it('is not told that somebody else changed what a double click saves', async () => {
    const id = await create('/api/v2/topics', { name: 'Pressed' });
    const page = await open(`/topics/${id}`);
    const held = await hold(page, 'PATCH', `/topics/${id}`);
    await page.getByRole('group', { name: 'Pressed' }).getByLabel('Name').fill('Pressed twice');
    await page.getByRole('button', { name: 'Save', exact: true }).first().dblclick();
    held.release();
    await page.getByRole('heading', { name: 'Pressed twice' }).waitFor();
    await settle(page);
    expect([held.count(), await page.getByRole('alert').count()]).toEqual([1, 0]);
    await page.context().close();
  });

  it('keeps what is typed while a save runs, and saves it then', async () => {
    const id = await create('/api/v2/topics', { name: 'First' });
    const page = await open(`/topics/${id}`);
    const held = await hold(page, 'PATCH', `/topics/${id}`);
    const name = page.locator('form.editor').first().getByLabel('Name');
    const save = page.getByRole('button', { name: 'Save', exact: true }).first();
    await name.fill('Second');
    await save.click();
    await name.fill('Second, and more');
    await save.click(); // does nothing: the first save runs
    held.release();
    await page.getByRole('heading', { name: 'Second', exact: true }).waitFor();
    expect(await name.inputValue()).toBe('Second, and more');
    await page.getByText('Not saved yet').waitFor();
    await save.click();
    await page.getByRole('heading', { name: 'Second, and more' }).waitFor();
    await page.getByText('Not saved yet').waitFor({ state: 'hidden' });
    await page.context().close();
  });

  it('is told why what somebody else wrote cannot be shown', async () => {
    const id = await create('/api/v2/topics', { name: 'Overtaken' });
    const page = await open(`/topics/${id}`);
    await page.getByRole('group', { name: 'Overtaken' }).getByLabel('Name').fill('Mine');
    await api(`/api/v2/topics/${id}`, { method: 'PATCH', body: '{"name":"Theirs"}' });
    await page.route(
      ({ pathname }) => pathname.endsWith(`/topics/${id}`),
      (route) => (route.request().method() === 'GET' ? route.abort() : route.continue()),
    );
    await page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await page.getByRole('alert').waitFor();
    await page.context().close();
  });

  it('does not save over one report what is shown of another', async () => {
    const id = await create(SAVED, { name: 'Original', request: REQUEST });
    const page = await open(`/report?show=case_creates&per=week&last=4w&saved=${id}`);
    await page.getByLabel('Compare with').selectOption('previous_year');
    await page.getByRole('button', { name: 'Save as …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Another');
    const held = await hold(page, 'GET', `${SAVED}/${id + 1}`);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await eventually(held.count, (value) => expect(value).toBe(1));
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Report');
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    expect(await page.getByText('Not saved yet').count()).toBe(0);
    held.release();
    await page.getByRole('heading', { name: 'Another' }).waitFor();
    await page.context().close();
  });

  it('moves things faster than they are written, and sees the order that stays', async () => {
    const list = '/api/v2/macros';
    for (const name of ['One', 'Two', 'Three']) await create(list, { name });
    const before = (await entriesOf(list)).map(({ name }) => name).slice(0, -3);
    const page = await open('/macros');
    const held = await hold(page, 'POST', '/move');
    await page.getByRole('button', { name: 'Move Three earlier' }).click();
    await page.getByRole('button', { name: 'Move Three earlier' }).click();
    const names = () => page.locator('ol.things h2').allTextContents();
    const moved = [...before, 'Three', 'One', 'Two'];
    await held.next();
    await eventually(held.count, (value) => expect(value).toBe(2));
    expect(await names()).toEqual(moved);
    held.release();
    await settle(page);
    expect((await entriesOf(list)).map(({ name }) => name)).toEqual(moved);
    expect(await names()).toEqual(moved);
    await page.context().close();
  });

  it('ends two tokens one after the other, and sees neither', async () => {
    for (const name of ['Slow', 'Quick']) await create('/api/v2/tokens', { name });
    const slow = (await entriesOf('/api/v2/tokens')).find(({ name }) => name === 'Slow');
    const page = await open('/settings');
    const held = await hold(page, 'DELETE', `/tokens/${slow?.id}`);
    await page.getByRole('button', { name: 'End it: Slow' }).click();
    await page.getByRole('button', { name: 'End it: Quick' }).click();
    await page.getByRole('button', { name: 'End it: Quick' }).waitFor({ state: 'detached' });
    held.release();
    await page.getByRole('button', { name: 'End it: Slow' }).waitFor({ state: 'detached' });
    await page.context().close();
  });

  it.each([
    [1280, 1000],
    [380, 800],
  ])('reads who sees an article in full at a width of %i px', async (width, height) => {
    const [article] = await entriesOf('/api/v2/articles');
    const page = await open(`/articles/${article?.id}`);
    await page.setViewportSize({ width, height });
    const room = await page.evaluate(`
      const select = document.querySelector('.options select');
      const draw = document.createElement('canvas').getContext('2d');
      draw.font = getComputedStyle(select).font;
      select.clientWidth - Math.max(...[...select.options].map(({ text }) => draw.measureText(text).width));
    `);
    expect(room).toBeGreaterThan(44); // px: the paddings and the arrow
    await page.context().close();
  });

  it('keeps what is changed on a board while it is saved', async () => {
    const report = await create(SAVED, { name: 'A tile', request: REQUEST });
    const tiles = [{ ...TILE, saved_report: report }];
    const id = await create('/api/v2/boards', { name: 'A board', tiles, time: null, filters: null });
    const page = await open(`/boards/${id}?edit=`);
    const held = await hold(page, 'PATCH', `/boards/${id}`);
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('A board, saved');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await name.fill('A board, saved and changed');
    held.release();
    await page.getByText('Saved.').waitFor();
    await settle(page);
    expect(await name.inputValue()).toBe('A board, saved and changed');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'A board, saved and changed', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Copy' }).waitFor();
    await page.context().close();
  });

  it('sees what somebody else has written before it is deleted, and writes nothing over it', async () => {
    const id = await create('/api/v2/topics', { name: 'Doomed' });
    const page = await open(`/topics/${id}`);
    await api(`/api/v2/topics/${id}`, { method: 'PATCH', body: '{"name":"Saved in time"}' });
    const remove = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Delete' }).first().click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    };
    await remove();
    await page.getByRole('heading', { name: 'Saved in time' }).waitFor();
    await page.getByRole('alert').getByText('Somebody else changed this meanwhile').waitFor();
    expect(await page.getByRole('button', { name: 'Save mine over it' }).count()).toBe(0);
    await remove();
    await page.getByRole('heading', { name: 'Topics' }).waitFor();
    expect((await api(`/api/v2/topics/${id}`)).status).toBe(404);
    await page.context().close();
  });
});
