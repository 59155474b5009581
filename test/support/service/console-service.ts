import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launch } from './browser.ts';
import { type Running, startProgram } from './program.ts';

let service: Running;
let browser: Browser;

/** The service and the browser that `serveInBrowser` started. */
export const served = {
  service: (): Running => service,
  browser: (): Browser => browser,
};

/** Starts a service with the demo site and a browser for the tests of a block. */
export function serveInBrowser(): void {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'console-'));
    service = await startProgram(folder, { DEMO: '1' });
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  });
}
