import { type Browser, chromium, type Page, type Route } from 'playwright-core';
import { settle, visit } from '../support/service/browser.ts';
import { CHROMIUM } from '../support/service/browser-path.ts';
import { overHttp } from '../support/service/http-ask.ts';
import type { Checks } from './checks.ts';
import type { Outputs } from './deployment.ts';

/** A deployment that a browser looks at. */
export interface ConsolePlace {
  readonly outputs: Pick<Outputs, 'BaseUrl' | 'FileBucket'>;
  readonly base: string; // where the API answers from here
  readonly endpoint: string | undefined; // of an emulator, which stands for all hosts of AWS
  readonly login: string;
  readonly password: string;
}

const DAY = 86_400_000; // ms
const WITHIN = 120_000; // ms
const moment = (ago: number): string => new Date(Date.now() - ago * DAY).toISOString().slice(0, 19).replace('T', ' ');
/** Cases of the last four whole weeks, at any hour of any day and in any zone. */
const rows = (): string =>
  ['Ticket,Created at,Status,Assignee', ...[8, 9, 10].map((ago) => `console-${ago},${moment(ago)},Open,Ann`)].join(
    '\n',
  );

/** The console in a browser on the deployed stack: a file goes to the bucket and into the overview, a report and its cases. */
export async function tryConsole(checks: Checks, place: ConsolePlace): Promise<void> {
  if (CHROMIUM === undefined) {
    checks.skip('the console in a browser', 'there is no Chromium: npm run test:console installs it');
    return;
  }
  const browser = await launch(place);
  try {
    await checks.step('the console signs in, and its pages load under their policy', async () => {
      const { page, errors } = await visit(browser, 'about:blank', {
        ignoreHTTPSErrors: place.endpoint !== undefined,
      });
      try {
        await enter(page, place);
        await bringFile(page, place);
        await lookAtNumbers(page);
        await undo(page);
      } catch (error) {
        const shown = await page.locator('body').innerText();
        throw new Error(`${String(error)}\n${page.url()} shows:\n${shown}\n${errors.join('\n')}`);
      }
      if (errors.length > 0) throw new Error(errors.join('\n'));
    });
  } finally {
    await browser.close();
  }
}

const s3Host = ({ outputs }: ConsolePlace): string => `${outputs.FileBucket}.s3.us-east-1.amazonaws.com`;

/** A browser that takes the emulator for the bucket's host, as it is called in AWS: so pages need their policy and CORS. */
function launch(place: ConsolePlace): Promise<Browser> {
  const { endpoint } = place;
  const there =
    endpoint === undefined
      ? []
      : [
          `--host-resolver-rules=MAP ${s3Host(place)} ${new URL(endpoint).host}`,
          '--disable-features=LocalNetworkAccessChecks', // the emulator is on this machine, the page as if it were not
        ];
  return chromium.launch({
    executablePath: CHROMIUM ?? '',
    args: ['--no-sandbox', '--disable-dev-shm-usage', ...there],
  });
}

async function enter(page: Page, place: ConsolePlace): Promise<void> {
  const { outputs, login, password } = place;
  page.setDefaultTimeout(WITHIN);
  if (place.endpoint !== undefined) await page.route(`${outputs.BaseUrl}**`, (route) => forward(route, place));
  await page.goto(`${outputs.BaseUrl}console/import`);
  await page.getByLabel('Login').fill(login);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.drop').waitFor();
}

/** Has the emulator answer for the API's host; its forms go to the host that the bucket has in AWS. */
async function forward(route: Route, place: ConsolePlace): Promise<void> {
  const request = route.request();
  const url = new URL(request.url());
  const stage = new URL(place.outputs.BaseUrl).pathname.replace(/\/$/, '');
  const { status, headers, text } = await overHttp(place.base, {
    method: request.method(),
    target: `${url.pathname.slice(stage.length)}${url.search}`,
    host: url.host,
    headers: await request.allHeaders(),
    body: request.postDataBuffer() ?? Buffer.alloc(0),
  });
  const { 'content-length': _, ...kept } = headers;
  const body = text.replace(`${place.endpoint}/${place.outputs.FileBucket}`, `https://${s3Host(place)}/`);
  await route.fulfill({ status, headers: kept, body });
}

/** Sends a file that breaks off once, sends it again, answers in which zone its times are, and loads it. */
async function bringFile(page: Page, place: ConsolePlace): Promise<void> {
  const file = { name: 'console.csv', mimeType: 'text/csv', buffer: Buffer.from(rows()) };
  const bucket = (url: URL): boolean => url.host === s3Host(place) && place.endpoint !== undefined;
  if (place.endpoint !== undefined) {
    await page.route(bucket, (route) => route.abort('connectionreset'));
    await page.locator('#file').setInputFiles(file);
    await page.getByText('The connection broke before the whole file had arrived.').waitFor();
    await page.unroute(bucket);
  }
  await page.locator('#file').setInputFiles(file);
  await page.getByText('Nothing has been stored yet.').waitFor();
  await page.getByRole('button', { name: 'Use UTC' }).click();
  await page.getByRole('button', { name: 'Use these answers' }).click();
  await page.getByRole('button', { name: 'Load it' }).click();
  await page.getByText('Loaded, every line.').waitFor();
}

/** From the overview's number to a report and the cases behind it. */
async function lookAtNumbers(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'See the numbers' }).click();
  const created = page.locator('.tile .figure[data-field=case_creates]');
  await created.waitFor();
  expectAtLeast(3, Number(await created.getAttribute('data-value')));
  const address = page.url().replace(/console.*/, 'console/report?show=case_creates&per=none&last=4w');
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(address)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
  await page.locator('table.report tbody td[data-value]').first().waitFor();
  await settle(page);
  await page.locator('table.report tbody tr').first().locator('button.value').first().click();
  await page.getByRole('link', { name: 'See the cases behind it' }).click();
  await page.locator('table.cases tbody tr').first().waitFor();
  expectAtLeast(3, await page.locator('table.cases tbody tr').count());
}

async function undo(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Import', exact: true }).click();
  await page.getByRole('link', { name: 'console.csv' }).first().click();
  await page.getByRole('button', { name: 'Undo this import' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo this import' }).click();
  await page.getByText('Undone: reports count nothing of this file any more.').waitFor();
}

function expectAtLeast(least: number, found: number): void {
  if (!(found >= least)) throw new Error(`expected at least ${least}, got ${found}`);
}
