import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';

export const passwordSchema = z.object({
  hash: z.string(), // base64
  salt: z.string(), // base64
  N: z.number(),
  r: z.number(),
  p: z.number(),
});

/** A password's scrypt hash with the parameters it was made with. */
export type PasswordHash = Readonly<z.infer<typeof passwordSchema>>;

const COST = { N: 2 ** 15, r: 8, p: 1 } as const; // 84 ms of a core, 32 MiB
const LENGTH = 32; // bytes of hash
const REMEMBERED_FOR = 60_000; // ms
const REMEMBERED = 10_000; // credentials a process keeps

/** What an unknown login is checked against, so that it takes as long as a wrong password. */
const NOBODY: PasswordHash = { hash: Buffer.alloc(LENGTH).toString('base64'), salt: 'bm9ib2R5', ...COST };

export async function hashPassword(password: string): Promise<PasswordHash> {
  const salt = randomBytes(16).toString('base64');
  const hash = await derive(password, { salt, ...COST });
  return { hash: hash.toString('base64'), salt, ...COST };
}

/** Whether the password is the one hashed; without a hash `false`, after the same time. */
async function verifyPassword(password: string, known: PasswordHash | undefined): Promise<boolean> {
  const against = known ?? NOBODY;
  const given = await derive(password, against);
  const same = timingSafeEqual(given, Buffer.from(against.hash, 'base64'));
  return same && known !== undefined;
}

function derive(password: string, { salt, N, r, p }: Omit<PasswordHash, 'hash'>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { N, r, p, maxmem: 256 * N * r };
    scrypt(password, Buffer.from(salt, 'base64'), LENGTH, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

/** Checks a password against a hash: `true` is remembered for a minute. */
export type PasswordCheck = (password: string, known: PasswordHash | undefined, now: number) => Promise<boolean>;

/**
 * A password check that remembers what was right, in this process, under a keyed hash of password and stored hash: a
 * changed password is another key. Equal checks under way at once are one.
 */
export function createPasswordCheck(): PasswordCheck {
  const key = randomBytes(32);
  const right = new Map<string, number>(); // keyed hash → epoch ms it is forgotten at
  const running = new Map<string, Promise<boolean>>();

  async function verifyOnce(name: string, password: string, known: PasswordHash | undefined): Promise<boolean> {
    const check = running.get(name) ?? verifyPassword(password, known);
    running.set(name, check);
    try {
      return await check;
    } finally {
      running.delete(name);
    }
  }

  return async (password, known, now) => {
    const name = createHmac('sha256', key)
      .update(`${known?.salt ?? ''}\n${known?.hash ?? ''}\n${password}`)
      .digest('base64');
    if ((right.get(name) ?? 0) > now) return true;
    right.delete(name);
    if (!(await verifyOnce(name, password, known))) return false;
    for (const oldest of right.keys()) {
      if (right.size < REMEMBERED) break;
      right.delete(oldest);
    }
    right.set(name, now + REMEMBERED_FOR);
    return true;
  };
}
