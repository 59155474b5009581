import { gzipSync } from 'node:zlib';
import { loadConsole } from '../../../infra/console/kept.ts';
import { CHROMIUM } from '../../support/service/browser-path.ts';
import { startProgram, withFolder } from '../../support/service/program.ts';

const ROUNDS = 5;

/** The console on the demo site: bytes of the first view, sign-in to the first number, a click on a cell to its cases. */
export async function bench(): Promise<string> {
  const { page, files } = await loadConsole();
  const first = [page, ...Object.entries(files).flatMap(([name, { body }]) => (name.startsWith('app-') ? [body] : []))];
  const size = first.reduce((sum, body) => sum + gzipSync(body).length, 0) / 1024;
  process.stdout.write(`first view: ${size.toFixed(1)} KiB gzip\n`);
  if (CHROMIUM === undefined) return `${size.toFixed(1)} KiB gzip (target 60); no Chromium for the rest`;
  const [number, cases] = await withFolder(async (folder) => {
    const service = await startProgram(folder, { DEMO: '1' });
    try {
      return await measure(service.url);
    } finally {
      await service.end('SIGTERM');
    }
  });
  return `${size.toFixed(1)} KiB gzip (target 60), first number ${number} ms (1000), click to cases ${cases} ms (300)`;
}

async function measure(url: string): Promise<readonly [number: number, cases: number]> {
  const { launch, signIn, visit } = await import('../../support/service/browser.ts');
  const browser = await launch();
  const numbers: number[] = [];
  const clicks: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { page } = await visit(browser, `${url}/console`);
      await signIn(page, { keep: true });
      await page.locator('.tile .figure').first().waitFor();
      const loaded = performance.now();
      await page.goto(`${url}/console`);
      await page.locator('.tile .figure').first().waitFor();
      numbers.push(performance.now() - loaded);
      await page.locator('.bars button').first().click();
      const clicked = performance.now();
      await page.getByRole('link', { name: 'See the cases behind it' }).click();
      await page.locator('table.cases tbody tr').first().waitFor();
      clicks.push(performance.now() - clicked);
      await page.context().close();
    }
  } finally {
    await browser.close();
  }
  const median = (values: number[]): number => Math.round(values.sort((a, b) => a - b)[ROUNDS >> 1] ?? 0);
  process.stdout.write(
    `first number: ${median(numbers)} ms; a cell to its cases: ${median(clicks)} ms (medians of ${ROUNDS})\n`,
  );
  return [median(numbers), median(clicks)];
}
