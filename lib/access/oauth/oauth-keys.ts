import { formatKeys, newOAuthKey, type OAuthKey, parseKeys, type ReadOAuthKeys } from './oauth-secrets.ts';

/** The keys of OAuth secrets, read once a process. */
export interface OAuthKeyStore {
  readonly read: ReadOAuthKeys;
  readonly write: (keys: readonly OAuthKey[]) => Promise<void>;
}

/** Where the text of the keys is kept: a file of the data folder, or a secret in the cloud. */
export interface KeyText {
  read(): Promise<string>;
  write(text: string): Promise<void>;
}

/** The keys in a text. Those who ask at the same time share one read; a read that fails is not remembered. */
export function openOAuthKeys(text: KeyText): OAuthKeyStore {
  let lastRead: Promise<readonly OAuthKey[]> | undefined;

  function readAgain(): Promise<readonly OAuthKey[]> {
    const reading = text.read().then(parseKeys);
    lastRead = reading;
    reading.catch(() => {
      if (lastRead === reading) lastRead = undefined;
    });
    return reading;
  }

  return {
    read: (fresh) => (lastRead === undefined || fresh ? readAgain() : lastRead),
    write: async (keys) => {
      await text.write(formatKeys(keys));
      lastRead = Promise.resolve(keys);
    },
  };
}

/** The keys, with one made if there is none. */
export async function someKeys({ read, write }: OAuthKeyStore): Promise<readonly OAuthKey[]> {
  const before = await read(true);
  if (before.length > 0) return before;
  await write([newOAuthKey()]);
  return read(true);
}
