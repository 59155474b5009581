/** The `Authorization` header of HTTP Basic (RFC 7617). */
export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** The password of test users. */
export const PASSWORD = 'correct horse';

/** The hash of that password at the real cost, precomputed because hashing is slow on purpose. */
export const PASSWORD_HASH = {
  ...{ hash: 'V+PaVsQg115fHNQObSib2rl1ihb0KmWJilncu/pImVg=', salt: 'dGVzdHMgb2YgYSBzaXRlIQ==' },
  ...{ N: 2 ** 17, r: 8, p: 1 },
};

/** A hash of low cost that no password matches, so that wrong passwords are refused faster. */
export const CHEAP_HASH = { hash: Buffer.alloc(32).toString('base64'), salt: 'Y2hlYXA=', N: 2 ** 10, r: 8, p: 1 };
