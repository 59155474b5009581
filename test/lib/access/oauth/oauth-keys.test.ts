import { openOAuthKeys, someKeys } from '../../../../lib/access/oauth/oauth-keys.ts';
import { newOAuthKey, openSecrets, sealSecrets } from '../../../../lib/access/oauth/oauth-secrets.ts';

/** A text that counts how often it is read, and can be out of reach. */
function countedText(text = '') {
  const kept = { text, reads: 0, isLost: false };
  const read = async () => {
    kept.reads += 1;
    if (kept.isLost) throw new Error('out of reach');
    return kept.text;
  };
  return {
    kept,
    store: openOAuthKeys({
      read,
      write: async (next) => {
        kept.text = next;
      },
    }),
  };
}

describe('the keys of OAuth secrets', () => {
  it('are read once, also by those who ask at the same time, and again only if they are to be fresh', async () => {
    const { kept, store } = countedText();
    await Promise.all([store.read(false), store.read(false)]);
    await store.read(false);
    expect(kept.reads).toBe(1);
    await store.read(true);
    expect(kept.reads).toBe(2);
  });

  it('are asked for again after a read that failed', async () => {
    const { kept, store } = countedText();
    await store.write([newOAuthKey()]);
    kept.isLost = true;
    await expect(store.read(true)).rejects.toThrow('out of reach');
    kept.isLost = false;
    expect(await store.read(false)).toHaveLength(1);
  });

  it('are made only where there is none, and never over a text that cannot be read', async () => {
    const { kept, store } = countedText();
    const [key] = await someKeys(store);
    const before = kept.text;
    expect(await someKeys(store)).toEqual([key]);
    kept.isLost = true;
    await expect(someKeys(store)).rejects.toThrow('out of reach');
    expect(kept.text).toBe(before);
  });

  it('include the one that a deploy made of 64 random letters, which stays good beside a new one', async () => {
    const { kept, store } = countedText('a1B2'.repeat(16));
    const [made] = await someKeys(store);
    expect(kept.text).toBe('a1B2'.repeat(16));
    if (made === undefined) throw new Error('no key');
    const secrets = { consumer: 'one', token: 'two' };
    const sealed = sealSecrets(made, secrets, 'here');
    await store.write([newOAuthKey(), made]);
    expect(openSecrets(await store.read(true), sealed, 'here')).toEqual(secrets);
    for (const text of ['a1B2'.repeat(16).slice(1), `${'a1B2'.repeat(16)}:`])
      expect(await countedText(text).store.read(false)).toEqual([]);
  });
});
