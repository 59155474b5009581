import { parseToken, type Token } from '../access/tokens.ts';
import { Failure, oneFault } from '../errors.ts';
import { parseCredentials } from '../http/credentials.ts';
import type { Call } from '../http/route.ts';
import { keys } from '../store/keys.ts';

/**
 * The token that a request came with; `none` if it came with a password. Throws `invalid` for a signature in the query.
 */
export async function presentedToken({ context, headers }: Pick<Call, 'context' | 'headers'>): Promise<Token | 'none'> {
  const credentials = parseCredentials({ headers, sentQuery: [] });
  if (credentials === undefined || typeof credentials === 'string') throw noPerson();
  if (!('token' in credentials)) return 'none';
  const item = await context.table.get(keys.token(context.site.name, credentials.token));
  if (item === undefined) throw new Failure('unauthorized'); // ended meanwhile
  return parseToken(item);
}

const noPerson = (): Failure =>
  oneFault('invalid', ['base'], 'A token of a program makes no further credentials: sign in with login and password.');

/**
 * Throws `invalid` if a program is calling: its token may be a leaked one. A person comes with a password, or with a
 * session unless `sessionToo` is false.
 */
export async function requirePerson(call: Pick<Call, 'context' | 'headers'>, sessionToo = true): Promise<void> {
  const token = await presentedToken(call);
  if (token !== 'none' && !(sessionToo && token.session !== undefined)) throw noPerson();
}
