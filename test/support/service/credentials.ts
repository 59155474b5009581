import * as z from 'zod';
import { passwordSchema } from '../../../lib/access/passwords/passwords.ts';

/** The `Authorization` header of HTTP Basic (RFC 7617). */
export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

const FIXED = {
  password: 'correct horse',
  // at the real cost, precomputed because hashing is slow on purpose
  hash: {
    ...{ hash: 'V+PaVsQg115fHNQObSib2rl1ihb0KmWJilncu/pImVg=', salt: 'dGVzdHMgb2YgYSBzaXRlIQ==' },
    ...{ N: 2 ** 17, r: 8, p: 1 },
  },
};

const schema = z.object({ password: z.string(), hash: passwordSchema });
const { TEST_PASSWORD: made } = process.env;

/** In a deployment test users have a password that nobody knows, made for the run by run-setup.ts. */
const { password, hash } = made === undefined ? FIXED : schema.parse(JSON.parse(made));

/** The password of test users. */
export const PASSWORD = password;

/** The hash of that password. */
export const PASSWORD_HASH = hash;

/** A hash of low cost that no password matches, so that wrong passwords are refused faster. */
export const CHEAP_HASH = { hash: Buffer.alloc(32).toString('base64'), salt: 'Y2hlYXA=', N: 2 ** 10, r: 8, p: 1 };
