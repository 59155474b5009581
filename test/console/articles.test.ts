import type { Locator, Page } from 'playwright-core';
import { demoLogin } from '../../infra/demo/users.ts';
import { TEXT_SIZE } from '../../lib/http/fields.ts';

import { LARGEST_BESIDE, TEXT_CHANNELS } from '../../lib/topics/articles/fields.ts';
import { findFaults, said, settle, signIn, visit, type Watched } from '../support/service/browser.ts';
import { api, create } from '../support/service/console-api.ts';
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

/** The text of an article as its readers see it. */
const paper = (page: Page): Locator => page.getByRole('textbox', { name: 'Text', exact: true }).first();

/** Writes the text of an article as HTML, and shows it again. */
async function fillHtml(page: Page, html: string): Promise<void> {
  const editor = page.locator('form.editor').first();
  await editor.getByRole('button', { name: 'HTML', exact: true }).click();
  await editor.getByLabel('Text (HTML)').fill(html);
  await editor.getByRole('button', { name: 'As readers see it' }).click();
}

/** The HTML that the form would save. */
async function htmlOf(page: Page): Promise<string> {
  const editor = page.locator('form.editor').first();
  await editor.getByRole('button', { name: 'HTML', exact: true }).click();
  const html = await editor.getByLabel('Text (HTML)').inputValue();
  await editor.getByRole('button', { name: 'As readers see it' }).click();
  return html;
}

/** Pastes into the text of an article what another program put on the clipboard. */
const paste = (page: Page, type: string, data: string): Promise<unknown> =>
  page.evaluate(`
    const [type, data] = ${JSON.stringify([type, data])};
    const clipboardData = new DataTransfer();
    if (type.startsWith('image/')) clipboardData.items.add(new File([data], 'a.png', { type }));
    else clipboardData.setData(type, data);
    const text = document.querySelector('.paper');
    text.focus();
    text.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  `);

/** HTML as old programs wrote it; all of it is kept where nobody changes it. */
const OLD =
  '<FONT COLOR=red face="Arial">Red</FONT>\n<p CLASS=a style="color: #123456; margin-left:40px">One<BR>two &nbsp; <strong>three</strong>\n' +
  '<ul><li>a<li>b</ul><table border=1 width="50%"><tr><td bgcolor=yellow>x</table><center>y</center>';

const TOPIC = 1; // of the demo site

const write = (body: string): Promise<number> =>
  create('/api/v2/articles', { subject: 'An old one', body, topic_ids: [TOPIC] });

const bodyOf = async (id: number, more = ''): Promise<unknown> =>
  Object(await (await api(`/api/v2/articles/${id}${more}`)).json()).body;

async function save(page: Page): Promise<void> {
  await page.locator('form.editor').first().getByRole('button', { name: 'Save' }).click();
  await said(page, 'Saved.');
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
    await paper(page).fill('Look both ways.');
    await paper(page).press('Control+A');
    await editor.getByRole('button', { name: 'Bold' }).click();
    expect(await paper(page).locator('b').innerText()).toBe('Look both ways.');
    await editor.getByRole('button', { name: 'Save' }).click();
    await said(page, 'Saved.');

    const missing = page.locator('.translation').filter({ hasText: 'missing' }).first();
    await missing.getByLabel('Subject').fill('Zebrastreifen');
    await missing.getByRole('button', { name: 'Create' }).click();
    await settle(page);
    await fillHtml(page, '<p>Look left, right, and left again.</p>');
    expect(await paper(page).innerText()).toBe('Look left, right, and left again.');
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
  });

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
  });

  it('run nothing of their HTML', async () => {
    const { page } = await open('/console/articles');
    page.on('dialog', (dialog) => {
      throw new Error(`a dialog: ${dialog.message()}`);
    });
    await page.locator('.thing a').first().click();
    await settle(page);
    for (const vector of VECTORS) {
      await fillHtml(page, vector);
      await page.waitForTimeout(60); // ms: whatever would run, runs on its own
      expect([vector, await page.evaluate('window.hit ?? null')]).toEqual([vector, null]);
      expect(await paper(page).innerHTML()).not.toMatch(/<[^>]*\son\w+=|<script|javascript:|<style/i);
    }
    await page.context().close();
  });

  it('keep an old HTML to the byte where nobody changed it', async () => {
    const id = await write(OLD);
    const { page, errors } = await open(`/console/articles/${id}`);
    expect(await page.getByText('Not saved yet').count()).toBe(0);
    const editor = page.locator('form.editor').first();
    await editor.getByText('This text has what the editor cannot keep: <center>.').waitFor();
    expect(await paper(page).getAttribute('contenteditable')).toBe('false');
    await editor.getByLabel('Keywords').fill('old');
    await save(page);
    expect(await bodyOf(id)).toBe(OLD);

    await editor.getByRole('button', { name: 'Edit here without these' }).click();
    expect(await page.evaluate("getComputedStyle(document.querySelector('.paper span')).color")).toBe('rgb(255, 0, 0)');
    await paper(page).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('!');
    const edited = await htmlOf(page);
    expect(edited).toContain('y!');
    expect(edited).toContain('<span style="color: red; font-family: Arial;">Red</span>');
    await page.reload();
    await settle(page);

    await editor.getByRole('button', { name: 'Edit the HTML' }).click();
    await editor.getByLabel('Text (HTML)').fill(OLD.replace('One', 'Uno'));
    await editor.getByRole('button', { name: 'As readers see it' }).click();
    await save(page);
    expect(await bodyOf(id)).toBe(OLD.replace('One', 'Uno'));
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('lose nothing by an edit that the editor did not name before', async () => {
    const html =
      '<h2 id="top" class="lead">Old <a href="/x" target="_blank" title="t">link</a></h2>\n<div style="margin-left: 40px; color: #123456">' +
      '<span lang="fr" data-x="1">mot</span> <u>u</u> <code>c</code><br>next</div><blockquote><p>q</p></blockquote><hr>' +
      '<table border="1"><caption>C</caption><tbody><tr><th scope="row">h</th><td colspan="2">d</td></tr></tbody></table>' +
      '<ol start="3"><li>one</li><li>two<ul><li>in</li></ul></li></ol><pre>a\n  b</pre><dl><dt>t</dt><dd>d</dd></dl>' +
      '<img src="/console/none.png" alt="A picture" width="20"><p dir="rtl">\u05e9\u05dc\u05d5\u05dd</p>';
    const id = await write(html);
    const { page, errors } = await open(`/console/articles/${id}`);
    expect(await page.getByText('the editor cannot keep').count()).toBe(0);
    expect(await page.evaluate("getComputedStyle(document.querySelector('.paper div')).marginLeft")).toBe('40px');
    await paper(page).locator('code').click();
    await page.keyboard.press('End');
    await page.keyboard.type('Z');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+y');
    await save(page);
    const kept = String(await bodyOf(id));
    for (const part of html.match(/<(?!br)[a-z][^>]*>/g) ?? []) expect(kept).toContain(part);
    expect(kept).toContain('Z');
    expect(kept).not.toContain('data-article-style');

    await page.keyboard.press('Control+z');
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('are as they were when every edit is undone', async () => {
    const html = '<P>One\n two</P><p>three &amp; four';
    const { page } = await open(`/console/articles/${await write(html)}`);
    await paper(page).click();
    await page.keyboard.type('abc');
    await page.getByText('Not saved yet').waitFor();
    for (let steps = 0; steps < 3; steps += 1) await page.keyboard.press('Control+z');
    expect(await page.getByText('Not saved yet').count()).toBe(0);
    expect(await htmlOf(page)).toBe(html);
    await page.context().close();
  });

  it('are formatted by buttons and by keys', async () => {
    const id = await write('<p>first words</p><p>second words</p>');
    const { page, errors, foreign } = await open(`/console/articles/${id}`);
    const tools = page.getByRole('group', { name: 'Formatting' }).first();
    await paper(page).getByText('first words').click();
    await tools.getByLabel('Kind of paragraph').selectOption('Heading 2');
    expect(await htmlOf(page)).toMatch(/<h2>first words<\/h2><p>second words<\/p>/);
    await paper(page).getByText('second words').click({ clickCount: 3 });
    await tools.getByRole('button', { name: 'List', exact: true }).click();
    expect(await tools.getByRole('button', { name: 'List', exact: true }).getAttribute('aria-pressed')).toBe('true');
    expect(await htmlOf(page)).toMatch(/<ul><li>.*second words.*<\/li><\/ul>/);
    await paper(page).getByText('second words').click({ clickCount: 3 });
    await tools.getByRole('button', { name: 'List with 1.' }).click();
    expect(await htmlOf(page)).toMatch(/<ol><li>.*second words.*<\/li><\/ol>/);
    await paper(page).getByText('second words').click({ clickCount: 3 });
    await tools.getByRole('button', { name: 'List with 1.' }).click();
    await page.keyboard.press('Control+i');
    await page.keyboard.press('Control+b');
    expect(await htmlOf(page)).toMatch(/<[ib]><[ib]>second words<\/[ib]><\/[ib]>/);

    await paper(page).getByText('second words').click({ clickCount: 3 });
    await tools.getByRole('button', { name: 'Link' }).click();
    await page.getByLabel('Address').fill('javascript:alert(1)');
    expect(await page.getByRole('button', { name: 'Set link' }).isDisabled()).toBe(true);
    await page.getByLabel('Address').fill('example.com/a');
    await page.getByRole('button', { name: 'Set link' }).click();
    expect(await htmlOf(page)).toContain('<a href="https://example.com/a"');
    await paper(page).getByText('first words').click();
    await page.keyboard.press('End');
    await tools.getByRole('button', { name: 'Image' }).click();
    await page.getByLabel('Address').fill('https://example.com/a.png');
    await page.getByLabel('Description').fill('A key');
    await page.getByRole('button', { name: 'Insert image' }).click();
    expect(await htmlOf(page)).toMatch(/first words<img src="https:\/\/example.com\/a.png" alt="A key">/);
    await save(page);
    expect(await bodyOf(id)).toContain('<img');
    expect(await findFaults(page)).toEqual([]);
    // the page's policy refuses images of other sites, which is why it says so where their address is typed
    expect(errors.filter((error) => !error.includes('example.com/a.png'))).toEqual([]);
    expect(foreign.filter((asked) => asked !== 'https://example.com/a.png')).toEqual([]);
    await page.context().close();
  });

  it('clean what is pasted as what is shown, and refuse images with the reason', async () => {
    const { page, errors } = await open(`/console/articles/${await write('<p>Text</p>')}`);
    await paper(page).click();
    await page.keyboard.press('Control+End');
    await paste(page, 'text/html', `<b onclick="${HIT}">bold</b><script>${HIT}</script><form><input></form>`);
    expect(await htmlOf(page)).toMatch(/Text<b>bold<\/b>/);
    expect(await htmlOf(page)).not.toMatch(/onclick|script|<form|<input/);
    const reason = page.getByText('Images are not stored here');
    expect(await reason.count()).toBe(0);
    await paste(page, 'text/html', 'pic<img src="data:image/png;base64,AAAA">');
    await reason.waitFor();
    await paste(page, 'text/html', 'plain');
    await reason.waitFor({ state: 'detached' });
    await paste(page, 'image/png', 'x');
    await reason.waitFor();
    expect(await htmlOf(page)).not.toContain('<img');
    expect([await page.evaluate('window.hit ?? null'), errors]).toEqual([null, []]);
    await page.context().close();
  });

  it('are written from right to left where their language is', async () => {
    const was = Object(await (await api('/api/v2/site')).json()).locales;
    await api('/api/v2/site', { method: 'PATCH', body: JSON.stringify({ locales: [...was, 'he'] }) });
    const { page } = await open(`/console/articles/${await write('<p>Text</p>')}`);
    const hebrew = page.locator('.translation').filter({ hasText: 'Hebrew' });
    const text = hebrew.getByRole('textbox', { name: 'Text', exact: true });
    expect([await text.getAttribute('dir'), await text.getAttribute('lang')]).toEqual(['rtl', 'he']);
    expect(await paper(page).getAttribute('dir')).toBe('auto');
    await api('/api/v2/site', { method: 'PATCH', body: JSON.stringify({ locales: was }) });
    await page.context().close();
  });

  it('are only shown to who may not change them', async () => {
    const id = await write('<p>Text</p>');
    const { page } = await visit(served.browser(), `${served.service().url}/console/articles/${id}`);
    await signIn(page, { login: demoLogin('Reporting Agent') });
    await settle(page);
    expect(await paper(page).getAttribute('contenteditable')).toBe('false');
    expect(await page.getByRole('group', { name: 'Formatting' }).count()).toBe(0);
    await page.context().close();
  });

  it.each(['light', 'dark'] as const)('have their editor at 1280 and 380 px, %s', async (colorScheme) => {
    const id = await write(
      '<h2>How to reset</h2><p>Open <b>Settings</b>, then <a href="/x">Account</a>.</p><ol><li>One</li><li>Two</li></ol><pre>reset --all</pre>',
    );
    const { page } = await open(`/console/articles/${id}`);
    await page.emulateMedia({ colorScheme });
    for (const width of [1280, 380]) {
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: `screenshots/article-editor-${colorScheme}-${width}.png`, fullPage: true });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await findFaults(page)).toEqual([]);
    }
    await page.context().close();
  });
});
