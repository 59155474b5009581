import * as fc from 'fast-check';
import type { Role } from '../../../lib/access/roles.ts';
import { newTokenText, tokenHash } from '../../../lib/access/tokens.ts';
import type { Table } from '../../../lib/store/table.ts';
import { addToken } from '../service/tokens.ts';
import type { Exchange } from './site-model.ts';

/** Origins of pages that send requests. Only `OURS` may write, if the site allows it. */
export const OURS = 'https://help.example.com';
const THEIRS = 'https://evil.example';

/**
 * How a step is sent: the credentials, the origin of the page, and the request that follows with the same
 * Idempotency-Key.
 */
export const callers = fc.record({
  by: fc.constantFrom(...Array<'token'>(20).fill('token'), 'password', 'lowered', 'expired', 'removed', 'foreign'),
  origin: fc.constantFrom(...Array<undefined>(16).fill(undefined), OURS, OURS, THEIRS),
  again: fc.constantFrom('same', 'same', 'other'),
});
export type Caller = typeof callers extends fc.Arbitrary<infer C> ? C : never;

const ROLES = ['Administrator', 'Content Manager', 'Agent'] as const;
export const loginOf = (role: Role): string => `${role.toLowerCase().replaceAll(' ', '-')}@test.example`;

/** Returns the `Authorization` header for a role and a kind of credentials; none for a password. */
export type Credentials = (role: Role, by: Caller['by']) => Readonly<Record<string, string>>;

/** Gives the users of a site tokens of all kinds; foreign ones are valid only on another site. */
export async function giveTokens(table: Table, site: string, now: number): Promise<Credentials> {
  const texts = new Map<string, string>();
  for (const role of ROLES) {
    const login = loginOf(role);
    for (const by of ['token', 'lowered', 'expired', 'removed', 'foreign']) {
      const text = newTokenText(login);
      texts.set(`${role} ${by}`, text);
      if (by === 'removed') continue;
      const where = by === 'foreign' ? `not-${site}` : site;
      const more = by === 'lowered' ? { role: 'Agent' as const } : by === 'expired' ? { expires: now } : {};
      await addToken(table, where, { hash: tokenHash(text), login, name: by, created: 1, ...more });
    }
  }
  return (role, by) => {
    const text = texts.get(`${role} ${by}`);
    return text === undefined ? {} : { Authorization: `Bearer ${text}` };
  };
}

const STOPPED: Readonly<Record<string, Exchange['expected']>> = {
  401: { status: 401, body: { message: 'Unauthorized' } },
  403: { status: 403, body: { message: 'Forbidden' } },
};

/** The refusal of a request for its credentials or its origin alone; undefined if it passes. */
export function stopped(
  { by, origin }: Caller,
  method: string,
  allowed: readonly string[],
): Exchange['expected'] | undefined {
  if (by === 'expired' || by === 'removed' || by === 'foreign') return STOPPED[401];
  const isForeign = origin !== undefined && !allowed.includes(origin);
  return isForeign && method !== 'GET' ? STOPPED[403] : undefined;
}
