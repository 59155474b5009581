/** The `Authorization` header of HTTP Basic (RFC 7617). */
export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
