import { TEXT_SIZE } from '../../lib/http/fields.ts';

import { LARGEST_BESIDE, TEXT_CHANNELS } from '../../lib/topics/articles/fields.ts';
import { findFaults, said, settle, signIn, visit, type Watched } from '../support/service/browser.ts';
import { api } from '../support/service/console-api.ts';
import { served, serveInBrowser } from '../support/service/console-service.ts';
import { describeInBrowser } from '../support/service/in-browser.ts';

const HIT = 'top.hit=1;parent.hit=1;window.hit=1';

/** HTML that has run scripts in pages that showed it. */
const VECTORS = [
  `<script>${HIT}</script>`,
  `<img src=x onerror="${HIT}">`,
  `<svg onload="${HIT}"></svg>`,
  `<svg><script>${HIT}</script></svg>`,
  `<svg><animate onbegin="${HIT}" attributeName=x dur=1s></animate></svg>`,
  `<svg><set attributeName=onmouseover to="${HIT}"></set></svg>`,
  `<iframe srcdoc="<script>${HIT}</script>"></iframe>`,
  `<iframe src="javascript:${HIT}"></iframe>`,
  `<object data="data:text/html,<script>${HIT}</script>"></object>`,
  `<embed src="javascript:${HIT}">`,
  `<a href="javascript:${HIT}" id="go">go</a>`,
  `<a href="jav&#x09;ascript:${HIT}">go</a>`,
  `<details open ontoggle="${HIT}">x</details>`,
  `<video><source onerror="${HIT}"></video>`,
  `<audio src=x onerror="${HIT}"></audio>`,
  `<input autofocus onfocus="${HIT}">`,
  `<select autofocus onfocus="${HIT}"></select>`,
  `<body onload="${HIT}">`,
  `<marquee onstart="${HIT}">x</marquee>`,
  `<form action="javascript:${HIT}"><button>go</button></form>`,
  `<meta http-equiv="refresh" content="0;url=javascript:${HIT}">`,
  `<base href="javascript:${HIT}//">`,
  `<style>@keyframes x{}</style><b style="animation-name:x" onanimationstart="${HIT}">x</b>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=${HIT}&gt;">`,
  `<noscript><p title="</noscript><img src=x onerror=${HIT}>">`,
  `<svg></p><style><a id="</style><img src=x onerror=${HIT}>">`,
  `<template><img src=x onerror="${HIT}"></template>`,
  `"><img src=x onerror=${HIT}>`,
  `</iframe><script>${HIT}</script>`,
  `<img src="x\` \`<script>${HIT}</script>"\` \`>`,
];

async function open(path: string, keep = false): Promise<Watched> {
  const watched = await visit(served.browser(), `${served.service().url}${path}`);
  await signIn(watched.page, { keep });
  await settle(watched.page);
  return watched;
}

describeInBrowser('articles in the console', () => {
  serveInBrowser();

  it('are begun as drafts, written, published, translated and found as readers find them', async () => {
    const { page, errors, foreign } = await open('/console/articles');
    expect(await page.locator('.thing').count()).toBeGreaterThan(0);
    expect(await findFaults(page)).toEqual([]);

    await page.getByRole('button', { name: 'New article' }).click();
    await page.getByRole('dialog').getByLabel('Subject').fill('Zebra crossings');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Zebra crossings', level: 1 }).waitFor();
    await settle(page);
    const editor = page.locator('form.editor').first();
    await editor.getByLabel('Text (HTML)').fill('<p>Look <b>both</b> ways.</p>');
    const frame = page.frameLocator('iframe').first();
    expect(await frame.locator('b').innerText()).toBe('both');
    await editor.getByRole('button', { name: 'Save' }).click();
    await said(page, 'Saved.');

    const missing = page.locator('.translation').filter({ hasText: 'missing' }).first();
    await missing.getByLabel('Subject').fill('Zebrastreifen');
    await missing.getByRole('button', { name: 'Create' }).click();
    await settle(page);
    await editor.getByLabel('Text (HTML)').fill('<p>Look left, right, and left again.</p>');
    await editor.getByRole('button', { name: 'Publish now' }).click();
    await editor.getByRole('button', { name: 'Save' }).click();
    await settle(page);
    expect(await page.getByText('Not saved yet').count()).toBe(0);
    await page.reload();
    await settle(page);
    await page.getByText('outdated').first().waitFor();
    expect(await findFaults(page)).toEqual([]);

    await page.getByRole('link', { name: 'Back to the list' }).click();
    await settle(page);
    await page.getByLabel('Preview').check();
    await page.getByLabel('Find by its words').fill('zebra');
    await page.keyboard.press('Enter');
    await settle(page);
    expect(await page.locator('.thing').allInnerTexts()).toEqual([expect.stringContaining('Zebra crossings')]);
    expect([errors, foreign]).toEqual([[], []]);
    await page.context().close();
  }, 180_000);

  it('say what is wrong with all fields together', async () => {
    const { page } = await open('/console/articles', true);
    const texts = TEXT_CHANNELS.slice(0, LARGEST_BESIDE / TEXT_SIZE).map((channel) => [
      `body_${channel}`,
      'x'.repeat(TEXT_SIZE),
    ]);
    await page.locator('.thing a').first().click();
    await settle(page);
    const article = `/api/v2/articles/${page.url().split('/').at(-1)}`;
    const filled = await api(article, { method: 'PATCH', body: JSON.stringify(Object.fromEntries(texts)) });
    expect(filled.status).toBe(200);
    await page.reload();
    await settle(page);
    const editor = page.locator('form.editor').first();
    await editor.getByLabel('Internal notes').fill('One word too many');
    await editor.getByRole('button', { name: 'Save' }).click();
    await editor.getByText('The texts for channels and the notes have more than').waitFor();
    await page.context().close();
  }, 60_000);

  it('run nothing of their HTML', async () => {
    const { page } = await open('/console/articles');
    page.on('dialog', (dialog) => {
      throw new Error(`a dialog: ${dialog.message()}`);
    });
    await page.locator('.thing a').first().click();
    await settle(page);
    const body = page.locator('form.editor').first().getByLabel('Text (HTML)');
    for (const vector of VECTORS) {
      await body.fill(vector);
      await page.waitForTimeout(60); // ms: whatever would run, runs on its own
      expect([vector, await page.evaluate('window.hit ?? null')]).toEqual([vector, null]);
    }
    const html = await page.locator('iframe').first().getAttribute('srcdoc');
    expect(html).not.toMatch(/onerror=/);
    expect(await page.locator('iframe').first().getAttribute('sandbox')).toBe('');
    await page.context().close();
  }, 180_000);
});
