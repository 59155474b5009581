import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
} from 'playwright-core';
import { DEMO_PASSWORD, demoLogin } from '../../../infra/demo/users.ts';
import { CHROMIUM } from './browser-path.ts';

export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox', '--disable-dev-shm-usage'] });

/** A page with the errors that it had and the requests that it sent to other origins: both should be empty. */
export interface Watched {
  readonly page: Page;
  readonly errors: string[];
  readonly foreign: string[];
}

const PAUSE = 50; // ms between two looks at a page
const QUIET = 4; // looks at which nothing may be under way
const PATIENCE = 120_000; // ms: bounds what hangs, also on a busy machine
const LATENCY = Number(process.env.TEST_LATENCY ?? 0); // ms, at most, that each request of a page to the API takes longer

/** The requests of each browser profile that are under way. */
const underWay = new WeakMap<BrowserContext, Set<Request>>();

function countRequests(context: BrowserContext): void {
  const requests = new Set<Request>();
  underWay.set(context, requests);
  context.on('request', (request) => request.url().startsWith('http') && requests.add(request));
  const end = (request: Request): boolean => requests.delete(request);
  context.on('requestfinished', end).on('requestfailed', end);
}

/** Opens an address of the service in a fresh browser profile. */
export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: 'en-US', ...options });
  context.setDefaultTimeout(PATIENCE);
  countRequests(context);
  if (LATENCY > 0)
    await context.route('**/api/**', async (route) => {
      await setTimeout(Math.random() * LATENCY);
      await route.continue().catch(() => undefined); // the page has gone meanwhile
    });
  const page = await context.newPage();
  const errors: string[] = [];
  const foreign: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) errors.push(message.text());
  });
  const { origin } = new URL(url);
  page.on('request', (request) => {
    const asked = request.url();
    if (!asked.startsWith(origin) && !/^(data|blob):/.test(asked)) foreign.push(asked);
  });
  await page.goto(url);
  return { page, errors, foreign };
}

/** Signs in; `keep` ticks the box to stay signed in. */
export async function signIn(
  page: Page,
  { login = demoLogin('Administrator'), password = DEMO_PASSWORD, keep = false } = {},
): Promise<void> {
  await page.getByLabel('Login').fill(login);
  await page.getByLabel('Password').fill(password);
  if (keep) await page.getByLabel('Stay signed in').check();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('#page').waitFor();
}

/** Waits until the page has no request under way, is not busy and loads nothing, and stays so. */
export async function settle(page: Page): Promise<void> {
  const requests = underWay.get(page.context()) ?? new Set();
  const end = Date.now() + PATIENCE;
  for (let quiet = 0; quiet < QUIET; ) {
    await page.waitForTimeout(PAUSE);
    const loading = await page.locator('.busy.on, .skeleton, .stale').count();
    quiet = requests.size + loading > 0 ? 0 : quiet + 1;
    if (Date.now() > end)
      throw new Error(`${page.url()} loads: ${[...requests].map((each) => each.url())}, ${loading} parts of the page`);
  }
}

/** Waits until the page says a sentence, and for what it does then: the sentence may be left from an earlier click. */
export async function said(page: Page, sentence: string): Promise<void> {
  await page.getByText(sentence, { exact: true }).waitFor();
  await settle(page);
}

/** Presses a key until an element has the focus. */
export async function reach(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    const said = String(
      await page.evaluate(
        "(({ ariaLabel, textContent, labels }) => ariaLabel ?? labels?.[0]?.textContent ?? textContent ?? '')(document.activeElement)",
      ),
    ).trim();
    if (typeof name === 'string' ? said === name : name.test(said)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`no ${name} is reached by ${key}`);
}

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The violations that axe finds in a page, one line for each. */
export async function findFaults(page: Page): Promise<string[]> {
  await page.evaluate(await axeSource);
  const run = "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => JSON.stringify(violations))";
  const violations: unknown = JSON.parse(String(await page.evaluate(run)));
  if (!Array.isArray(violations)) throw new Error('axe gave no list');
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html}`);
}
