/** The `Authorization` header of HTTP Basic (RFC 7617). */
export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** The password of test users. */
export const PASSWORD = 'correct horse';

/** Its hash, made once at today's cost: making one is slow on purpose. */
export const PASSWORD_HASH = {
  ...{ hash: 'V+PaVsQg115fHNQObSib2rl1ihb0KmWJilncu/pImVg=', salt: 'dGVzdHMgb2YgYSBzaXRlIQ==' },
  ...{ N: 2 ** 17, r: 8, p: 1 },
};

/** A hash that no password fits, at a low cost: wrong passwords are refused as ever, only sooner. */
export const CHEAP_HASH = { hash: Buffer.alloc(32).toString('base64'), salt: 'Y2hlYXA=', N: 2 ** 10, r: 8, p: 1 };
