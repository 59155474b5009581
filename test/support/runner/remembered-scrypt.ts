import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cost, createScryptThread as createRealThread } from '../../../lib/access/passwords/scrypt-thread.ts';

export { type Cost, HASH_LENGTH } from '../../../lib/access/passwords/scrypt-thread.ts';

/**
 * Derives keys as the real thread does, each once a test run: most tests sign in with one password, and a key takes
 * 0.4 s of a core on purpose. `resolve.js` gives this module to the passwords of tests in process.
 */
export function createScryptThread(): ReturnType<typeof createRealThread> {
  const derive = createRealThread();
  return async (password: string, salt: Buffer, cost: Cost) => {
    const name = createHash('sha256')
      .update(JSON.stringify([password, salt.toString('hex'), cost]))
      .digest('hex');
    const path = join(process.env.TEST_FOLDER ?? '', `key-${name}`);
    if (existsSync(path)) return readFileSync(path);
    const key = await derive(password, salt, cost);
    writeFileSync(`${path}-${process.pid}`, key);
    renameSync(`${path}-${process.pid}`, path);
    return key;
  };
}
