import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { COMMON_WORDS, LONG_COMMON, OWN_COMMON } from './common-passwords.ts';
import { type Cost, createScryptThread, HASH_LENGTH } from './scrypt-thread.ts';

export const passwordSchema = z.object({
  hash: z.string(), // base64
  salt: z.string(), // base64
  N: z.number(),
  r: z.number(),
  p: z.number(),
});

/** A password's scrypt hash with its salt and cost parameters. */
export type PasswordHash = Readonly<z.infer<typeof passwordSchema>>;

const COST: Cost = { N: 2 ** 17, r: 8, p: 1 }; // 0.4 s of a core and 128 MiB, as OWASP recommends
export const THREADS = 2; // checks at a time, 128 MiB each

/** The hash an unknown login is checked against, so that it takes as long as a wrong password. */
const NOBODY: PasswordHash = { hash: Buffer.alloc(HASH_LENGTH).toString('base64'), salt: 'bm9ib2R5', ...COST };

const threads = Array.from({ length: THREADS }, createScryptThread);
let turn = 0;

function derive(password: string, { salt, ...cost }: Omit<PasswordHash, 'hash'>): Promise<Buffer> {
  turn = (turn + 1) % THREADS;
  const thread = threads[turn];
  if (thread === undefined) throw new Error('there is no thread to check passwords in');
  return thread(password, Buffer.from(salt, 'base64'), cost);
}

export async function hashPassword(password: string): Promise<PasswordHash> {
  const salt = randomBytes(16).toString('base64');
  const hash = await derive(password.normalize('NFC'), { salt, ...COST });
  return { hash: hash.toString('base64'), salt, ...COST };
}

/** Whether a hash has a lower cost than new hashes. */
export const isOutdated = ({ N, r, p }: PasswordHash): boolean => N * r * p < COST.N * COST.r * COST.p;

/**
 * Whether the password matches the hash. Without a hash it returns `false` after the same time. A NUL is in no password:
 * scrypt pads passwords with it, so that one more at the end would match too.
 */
export async function verifyPassword(password: string, stored: PasswordHash | undefined): Promise<boolean> {
  const against = stored ?? NOBODY;
  for (const form of writtenForms(password)) {
    const derived = await derive(form, against);
    if (timingSafeEqual(derived, Buffer.from(against.hash, 'base64')))
      return stored !== undefined && !password.includes('\0');
  }
  return false;
}

/**
 * The ways to write one password: a keyboard may send `é` as one character or as two. One way if it has ASCII alone.
 * Hashes are of the first; of the others only those that were made before that was so.
 */
const writtenForms = (password: string): ReadonlySet<string> =>
  new Set([password.normalize('NFC'), password, password.normalize('NFD')]);

const SHORTEST = 12; // code points
const LONGEST = 1024; // code points

/**
 * Whether a password is guessed early: a common one, a common word with digits or signs around it, or fewer than 4
 * different characters.
 */
function isCommon(plain: string): boolean {
  const word = plain.replace(/^[^a-z]+|[^a-z]+$/g, '');
  const repeated = word.slice(0, `${word}${word}`.indexOf(word, 1)); // the whole word if it repeats nothing
  const isWord = COMMON_WORDS.has(word) || COMMON_WORDS.has(repeated);
  return LONG_COMMON.has(plain) || OWN_COMMON.has(plain) || isWord || new Set(plain).size < 4;
}

/** Returns a sentence that says why a password is refused; undefined if it may be used. */
export function passwordFault(password: string, login: string): string | undefined {
  const length = [...password].length;
  if (length < SHORTEST) return `A password has at least ${SHORTEST} characters.`;
  if (length > LONGEST) return `A password has at most ${LONGEST} characters.`;
  if (password.includes('\0')) return 'A password has no NUL characters.';
  const plain = password.toLowerCase();
  const name = login.toLowerCase();
  if (plain === name || plain === name.split('@')[0]) return 'The login cannot be the password.';
  if (isCommon(plain)) return 'That password is too common: it is one of the first that attackers try.';
  return undefined;
}

const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'; // none that is taken for another
const GROUPS = 5; // of 4 letters, 99 bits in all

/** A password that a machine chose, to be shown once: five groups of four letters. */
export function newPassword(): string {
  const group = (): string => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}
