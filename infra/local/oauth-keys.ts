import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type KeyText, type OAuthKeyStore, openOAuthKeys } from '../../lib/access/oauth/oauth-keys.ts';

/** The files of the keys of OAuth secrets and of connections to help desks. */
export const KEY_FILES = { oauth: 'oauth.key', connections: 'connections.key' } as const;

/** Where the keys of OAuth secrets lie: beside a table on this machine, or in a secret beside a deployed one. */
export interface KeyPlace {
  readonly folder?: string | undefined; // the data folder
  readonly secret?: string | undefined; // name or ARN
}

/** The keys of a place; undefined if it has none. There is none in a folder before the first secret is stored. */
export async function openKeysOf(
  { folder, secret }: KeyPlace,
  file: string = KEY_FILES.oauth,
): Promise<OAuthKeyStore | undefined> {
  if (folder !== undefined) return openOAuthKeys(fileText(join(folder, file)));
  if (secret === undefined) return undefined;
  const { openSecret } = await import('../../lib/store/secret.ts'); // the SDK is loaded only if needed
  return openOAuthKeys(openSecret(secret));
}

/** A file that nobody else may read. */
const fileText = (path: string): KeyText => ({
  // A file that cannot be read must not be taken for none, and be replaced.
  read: async () => (existsSync(path) ? readFile(path, 'utf8') : ''),
  write: async (text) => {
    const draft = `${path}-${randomBytes(6).toString('hex')}`;
    await writeFile(draft, text, { mode: 0o600 });
    await chmod(draft, 0o600);
    await rename(draft, path);
  },
});
