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
