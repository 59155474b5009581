import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { embeddedEngine } from '../../infra/local/engine-binary.ts';

declare global {
  var engineProcess: ReturnType<typeof spawn> | undefined;
}

/** One engine in memory for the whole run, unless `TEST_ENDPOINT` names another. */
export default async function setUp(): Promise<void> {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  if (process.env.TEST_ENDPOINT) return;
  const port = await freePort();
  globalThis.engineProcess = spawn(embeddedEngine(), ['serve', '--host', '127.0.0.1', '--port', String(port)], {
    stdio: 'ignore',
  });
  const endpoint = `http://127.0.0.1:${port}`;
  await answers(endpoint);
  process.env.TEST_ENDPOINT = endpoint;
}

async function answers(endpoint: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const up = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (up) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`the engine does not answer at ${endpoint}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
