import { parseArgs } from 'node:util';
import { loadConsole } from '../../../infra/console/kept.ts';
import { DEMO_PASSWORD, demoLogin } from '../../../infra/demo/users.ts';
import { CHROMIUM } from '../../support/service/browser-path.ts';
import { basic } from '../../support/service/credentials.ts';
import { firstViewSize } from '../../support/service/first-view.ts';
import { startProgram, withFolder } from '../../support/service/program.ts';
import { madeSite, USER } from '../data/made-site.ts';
import { median } from '../figures.ts';

const ROUNDS = 5;
const DEMO_USER = { login: demoLogin('Administrator'), password: DEMO_PASSWORD };

/**
 * Periods for the address of the overview. Its default, the last four weeks, would miss the made-up history of 2025.
 */
const PERIODS = { 'four weeks': '?from=2025-11-03&until=2025-12-01', 'the year': '?from=2025-01-01&until=2026-01-01' };

/**
 * Measures the console: the bytes of the first view, the time from opening the overview to its first number, the
 * time from a click on a bar to its cases, and the time until a board of twelve tiles is complete. It uses the demo site, and with `--scale 1` also the made-up history of the
 * reports' bench, which `--data-dir` keeps for the next run.
 */
export async function bench(words: readonly string[]): Promise<string> {
  const options = { scale: { type: 'string' }, 'data-dir': { type: 'string' } } as const;
  const { scale, 'data-dir': dataDir } = parseArgs({ args: [...words], options }).values;
  const size = firstViewSize(await loadConsole()) / 1024;
  process.stdout.write(`first view: ${size.toFixed(1)} KiB gzip\n`);
  if (CHROMIUM === undefined) return `${size.toFixed(1)} KiB gzip (target 60); no Chromium for the rest`;
  const demo = await withFolder((folder) => measure(folder, DEMO_USER, ''));
  const summary = [
    `${size.toFixed(1)} KiB gzip (target 60)`,
    `demo site: first number ${demo.number} ms (1000), click to cases ${demo.cases} ms (300), a board of twelve tiles ${demo.board} ms`,
  ];
  if (scale === undefined) return summary.join('; ');
  const made = await madeSite(Number(scale), dataDir);
  try {
    for (const [name, query] of Object.entries(PERIODS)) {
      const { first, number, cases, board } = await measure(made.dataDir, USER, query);
      summary.push(
        `${name} of the made-up history: first number ${first} ms in a new process, then ${number} (2000), ${cases} (300), a board of twelve tiles ${board} (3000)`,
      );
    }
  } finally {
    made.remove();
  }
  return summary.join('; ');
}

/** Times in ms. */
interface Times {
  readonly first: number; // to the first number, in a new process that has checked the password
  readonly number: number; // to the first number; a median
  readonly cases: number; // from a click on a bar to its cases; a median
  readonly board: number; // until all twelve tiles of a board are there; a median
}

/** The reports of a board of twelve tiles, with the ways they are shown. */
const TILES: readonly (readonly [shown_as: string, fields: readonly string[], dimension?: string])[] = [
  ...['case_creates', 'resolved_cases', 'open_cases', 'case_reopen_rate', 'csat_positive_rate'].map(
    (field) => ['number', [field]] as const,
  ),
  ['number', ['time_to_first_response:p50']],
  ['number', ['time_to_resolution:p50']],
  ['line', ['case_creates', 'resolved_cases']],
  ['bars', ['case_creates'], 'channel'],
  ['stacked', ['resolved_cases'], 'assigned_group'],
  ['table', ['resolved_cases', 'avg_handle_time'], 'action_agent'],
  ['heat', ['outbound_interactions'], 'weekday'],
];

/** Makes the board of twelve tiles through the API; returns its path. */
async function makeBoard(url: string, { login, password }: typeof DEMO_USER | typeof USER): Promise<string> {
  const post = async (path: string, body: unknown): Promise<number> => {
    const headers = { Authorization: basic(login, password) };
    const reply = await fetch(`${url}/api/v2/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`);
    return Object(await reply.json()).id;
  };
  const tiles: unknown[] = [];
  for (const [shown_as, fields, dimension1] of TILES) {
    const windows = shown_as === 'bars' || shown_as === 'table' ? 'none' : 'week';
    const time = { last: 4, unit: 'week', window_size: windows };
    const request = { fields, time, ...(dimension1 === undefined ? {} : { dimension1 }) };
    tiles.push({ saved_report: await post('saved_reports', { name: fields.join(), request }), shown_as });
  }
  return `/console/boards/${await post('boards', { name: 'Twelve', tiles, time: { last: 4, unit: 'week' } })}`;
}

async function measure(folder: string, user: typeof DEMO_USER | typeof USER, query: string): Promise<Times> {
  const { launch, settle, signIn, visit } = await import('../../support/service/browser.ts');
  const service = await startProgram(folder, { DEMO: user === DEMO_USER ? '1' : '0' });
  const browser = await launch();
  const overview = `${service.url}/console${query}`;
  const numbers: number[] = [];
  const clicks: number[] = [];
  const boards: number[] = [];
  try {
    const board = await makeBoard(service.url, user);
    for (let round = 0; round <= ROUNDS; round += 1) {
      const { page } = await visit(browser, `${service.url}/console/topics`);
      await signIn(page, { ...user, keep: true });
      const opened = performance.now();
      await page.goto(overview);
      await page.locator('.tile .figure').first().waitFor();
      numbers.push(performance.now() - opened);
      await page.locator('.bars button').first().waitFor();
      await settle(page); // a user looks at the page before clicking
      await page.locator('.bars button').first().click();
      const clicked = performance.now();
      await page.getByRole('link', { name: 'See the cases behind it' }).click();
      await page.locator('table.cases tbody tr').first().waitFor();
      clicks.push(performance.now() - clicked);
      const shown = performance.now();
      await page.goto(`${service.url}${board}${query}`);
      await page
        .locator('[aria-busy=false]')
        .nth(TILES.length - 1)
        .waitFor();
      boards.push(performance.now() - shown);
      await page.context().close();
    }
  } finally {
    await browser.close();
    await service.end('SIGTERM');
  }
  const [first = Number.NaN, ...others] = numbers.map(Math.round);
  const times = {
    first,
    number: median(others),
    cases: Math.round(median(clicks.slice(1))),
    board: Math.round(median(boards.slice(1))),
  };
  process.stdout.write(`${query || 'demo'}: ${JSON.stringify(times)} ms, medians of ${ROUNDS} but the first\n`);
  return times;
}
