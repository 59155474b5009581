import { randomBytes, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { type Cost, createScryptThread, HASH_LENGTH } from './scrypt-thread.ts';

export const passwordSchema = z.object({
  hash: z.string(), // base64
  salt: z.string(), // base64
  N: z.number(),
  r: z.number(),
  p: z.number(),
});

/** A password's scrypt hash with the parameters it was made with. */
export type PasswordHash = Readonly<z.infer<typeof passwordSchema>>;

const COST: Cost = { N: 2 ** 17, r: 8, p: 1 }; // 0.4 s of a core, 128 MiB: what OWASP asks for
const THREADS = 2; // checks at a time: a share of the process, 128 MiB each

/** What an unknown login is checked against, so that it takes as long as a wrong password. */
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
  const hash = await derive(password, { salt, ...COST });
  return { hash: hash.toString('base64'), salt, ...COST };
}

/** Whether a hash was made at a lower cost than new ones are. */
export const isOutdated = ({ N, r, p }: PasswordHash): boolean => N * r * p < COST.N * COST.r * COST.p;

/** Whether the password is the one hashed; without a hash `false`, after the same time. */
export async function verifyPassword(password: string, known: PasswordHash | undefined): Promise<boolean> {
  const against = known ?? NOBODY;
  const given = await derive(password, against);
  const same = timingSafeEqual(given, Buffer.from(against.hash, 'base64'));
  return same && known !== undefined;
}

const SHORTEST = 12; // code points
const LONGEST = 1024; // code points

/** Those of the commonest passwords that are long enough, and what they are made of. */
const COMMON: ReadonlySet<string> = new Set(
  `123456789012 1234567890123 12345678910 1234567891011 123456789123 123123123123 111111111111 000000000000 112233445566
  121212121212 123321123321 987654321098 147258369147 159753159753 qwertyuiop123 qwertyuiop12 qwertyuiop1234 qwerty123456
  qwerty1234567 qwerty12345678 qwertyqwerty qwertyuiopasdf asdfghjkl123 asdfghjklqwe asdfasdfasdf zxcvbnmasdfg
  1q2w3e4r5t6y 1q2w3e4r5t6y7u 1qaz2wsx3edc 1qaz2wsx3edc4rfv q1w2e3r4t5y6 zaq12wsxcde3 1qazxsw23edc abcdefghijkl abcdefghijklm
  abcd12345678 abc123456789 abcdef123456 abc123abc123 a123456789012 aa1234567890 aa123456789a password1234 password12345
  password123456 passwordpassword password!234 passw0rd1234 p@ssw0rd1234 p@ssword1234 mypassword12 mypassword123
  iloveyou1234 iloveyouforever iloveyou12345 iloveyoubaby changemechangeme changeme1234 changeme12345 letmeinletmein
  letmein12345 welcome12345 welcome123456 administrator administrator1 administrator123 admin1234567 admin12345678
  adminadminadmin superman1234 football1234 baseball1234 monkey123456 dragon123456 princess1234 sunshine1234 michael12345
  liverpool123 manchesterunited mustang12345 trustno1trustno1 correcthorsebatterystaple thisisapassword testtesttest
  test12345678 test123456789 secret123456 secretsecret qazwsxedcrfv qazwsx123456 unknownunknown computer1234 samsung12345
  google123456 facebook1234 whatever1234 starwars1234 pokemon12345 hello1234567 hellohello12 january12345 summer2024!!`.split(
    /\s+/,
  ),
);

/** Why a text may not be somebody's password, in one sentence; undefined for one that may. */
export function passwordFault(password: string, login: string): string | undefined {
  const length = [...password].length;
  if (length < SHORTEST) return `A password has at least ${SHORTEST} characters.`;
  if (length > LONGEST) return `A password has at most ${LONGEST} characters.`;
  const plain = password.toLowerCase();
  const name = login.toLowerCase();
  if (plain === name || plain === name.split('@')[0]) return 'The login is no password.';
  if (COMMON.has(plain) || new Set(plain).size < 4) return 'That password is one of the first that are guessed.';
  return undefined;
}
