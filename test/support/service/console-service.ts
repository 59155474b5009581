import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { DEMO_PASSWORD } from '../../../infra/demo/users.ts';
import { launch } from './browser.ts';
import { type Running, startProgram } from './program.ts';

let service: Running;
let browser: Browser;
let password: string;

/** The service and the browser that `serveInBrowser` started. */
export const served = {
  service: (): Running => service,
  browser: (): Browser => browser,
  password: (): string => password, // of the Administrator
};

/**
 * Starts a service and a browser for the tests of a block: with the demo site, or the one that `prepare` makes in its
 * folder, which returns the password of its Administrator.
 */
export function serveInBrowser(prepare?: (folder: string) => Promise<string>): void {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'console-'));
    password = prepare ? await prepare(folder) : DEMO_PASSWORD;
    service = await startProgram(folder, { DEMO: prepare ? '0' : '1' });
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  });
}
