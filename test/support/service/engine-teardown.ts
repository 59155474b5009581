import { rm } from 'node:fs/promises';

export default async function tearDown(): Promise<void> {
  globalThis.engine?.end();
  if (process.env.TEST_FOLDER) await rm(process.env.TEST_FOLDER, { recursive: true, force: true });
}
