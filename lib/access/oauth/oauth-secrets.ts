import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { parsedJson } from '../../json.ts';
import type { OAuthSecrets } from './oauth.ts';

/** A key under which the secrets of tokens are stored. */
export interface OAuthKey {
  readonly id: string;
  readonly bytes: Buffer; // 32
}

/** Returns the keys of the deployment, that of new secrets first. With `fresh` they are read again. */
export type ReadOAuthKeys = (fresh: boolean) => Promise<readonly OAuthKey[]>;

const CIPHER = 'aes-256-gcm';
const KEY_SIZE = 32; // bytes
const NONCE_SIZE = 12; // bytes
const TAG_SIZE = 16; // bytes

/** Secrets as they are stored, and the id of their key. */
export const sealedShape = z.object({ key: z.string(), text: z.string() });
export type Sealed = Readonly<z.infer<typeof sealedShape>>;

const secretsShape = z.object({ consumer: z.string(), token: z.string() });

export const newOAuthKey = (): OAuthKey => ({
  id: randomBytes(6).toString('base64url'),
  bytes: randomBytes(KEY_SIZE),
});

/** Encrypts a token's secrets. `place` names site and token: secrets that are moved elsewhere cannot be read. */
export const sealSecrets = (key: OAuthKey, secrets: OAuthSecrets, place: string): Sealed =>
  sealText(key, JSON.stringify(secrets), place);

/** Decrypts them; undefined without the key, or if anything was changed. */
export function openSecrets(keys: readonly OAuthKey[], sealed: Sealed, place: string): OAuthSecrets | undefined {
  const text = openText(keys, sealed, place);
  return text === undefined ? undefined : secretsShape.safeParse(parsedJson(text)).data;
}

/** Encrypts a text. `place` names what it belongs to: a text that is moved elsewhere cannot be read. */
export function sealText({ id, bytes }: OAuthKey, plain: string, place: string): Sealed {
  const nonce = randomBytes(NONCE_SIZE);
  const cipher = createCipheriv(CIPHER, bytes, nonce).setAAD(Buffer.from(place));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return { key: id, text: Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64') };
}

/** Decrypts a text; undefined without the key, or if anything was changed. */
export function openText(keys: readonly OAuthKey[], { key, text }: Sealed, place: string): string | undefined {
  const bytes = keys.find(({ id }) => id === key)?.bytes;
  if (bytes === undefined) return undefined;
  const whole = Buffer.from(text, 'base64');
  const decipher = createDecipheriv(CIPHER, bytes, whole.subarray(0, NONCE_SIZE)).setAAD(Buffer.from(place));
  decipher.setAuthTag(whole.subarray(NONCE_SIZE, NONCE_SIZE + TAG_SIZE));
  try {
    return Buffer.concat([decipher.update(whole.subarray(NONCE_SIZE + TAG_SIZE)), decipher.final()]).toString();
  } catch {
    return undefined;
  }
}

const MADE_BY_DEPLOY = /^[A-Za-z0-9]{64}$/;

/**
 * The keys of a text, one a line: its id, a colon, and its bytes in base64. A deploy makes a line of 64 random letters
 * and digits (infra/stack/key-secrets.ts): the key is their SHA-256.
 */
export const parseKeys = (text: string): OAuthKey[] =>
  text.split('\n').flatMap((line) => {
    if (MADE_BY_DEPLOY.test(line)) return [{ id: 'deploy', bytes: hash('sha256', line, 'buffer') }];
    const [, id, bytes] = /^([\w-]+):([A-Za-z0-9+/]{43}=)$/.exec(line.trim()) ?? [];
    return id === undefined || bytes === undefined ? [] : [{ id, bytes: Buffer.from(bytes, 'base64') }];
  });

export const formatKeys = (keys: readonly OAuthKey[]): string =>
  keys.map(({ id, bytes }) => `${id}:${bytes.toString('base64')}\n`).join('');
