import { type KeyText, openOAuthKeys } from '../lib/access/oauth/oauth-keys.ts';
import type { ReadOAuthKeys } from '../lib/access/oauth/oauth-secrets.ts';
import { unavailable } from '../lib/store/faults.ts';
import { OAUTH_SECRET } from './wiring.ts';

/** The deployment's secret. Its client is started only for signed requests, so that no other waits for it. */
const secretText: KeyText = {
  read: async () => (await open()).read(),
  write: async (text) => (await open()).write(text),
};

const open = async () => (await import('../lib/store/secret.ts')).openSecret(OAUTH_SECRET ?? '');

const { read } = openOAuthKeys(secretText);

/** The keys of OAuth secrets, read at the first signed request. Throws `unavailable` if the secret is out of reach. */
export const oauthKeys: ReadOAuthKeys = async (fresh) => {
  if (OAUTH_SECRET === undefined) return [];
  try {
    return await read(fresh);
  } catch (error) {
    throw unavailable(error);
  }
};
