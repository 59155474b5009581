import * as z from 'zod';
import { isWithin, ROLES, type Role } from '../access/roles.ts';
import { listTokens, newToken, type Token } from '../access/tokens.ts';
import { normalizeLogin, type User } from '../access/users.ts';
import type { Context } from '../context.ts';
import { Faults } from '../errors.ts';
import type { FaultCode } from '../fault-details.ts';
import { nameField, wordField } from '../http/fields.ts';

const LONGEST_LIFE = 3_650; // days
const DAY = 86_400_000; // ms
export const MOST_TOKENS = 100; // tokens of a user, without sessions

/** What the maker of a token decides. */
export const TOKEN_FIELDS = {
  name: nameField(100),
  role: wordField(ROLES).meta({ description: 'With no more rights than the user has' }),
  expires_in: z
    .int('invalid')
    .min(1, 'invalid')
    .max(LONGEST_LIFE, 'invalid')
    .meta({ description: 'Days; without it the token does not expire' }),
};

/** Whether a token has not expired; `now` in epoch ms. */
export const isGood = ({ expires = Number.POSITIVE_INFINITY }: Token, now: number): boolean => expires > now;

interface TokenFault {
  readonly code: FaultCode;
  readonly field: 'name' | 'role' | 'base';
  readonly message: string;
}

/** What the maker of a token asks for. */
interface WantedToken {
  readonly name: string;
  readonly role?: Role | undefined;
  readonly expires_in?: number | undefined; // days
}

/** A new token of a user, with its text, which is shown once. Throws the faults of the request, and those of the token. */
export async function planToken(
  { site, table, now }: Pick<Context, 'site' | 'table' | 'now'>,
  user: User,
  { name, role, expires_in: days }: WantedToken,
  faults = new Faults(),
): Promise<ReturnType<typeof newToken>> {
  const tokens = await listTokens(table, site.name, normalizeLogin(user.login));
  for (const { code, field, message } of tokenFaults(user, { name, role }, tokens, now))
    faults.explain(code, [field], { message });
  faults.check();
  return newToken(user, { name, role, expires: days === undefined ? undefined : now + days * DAY }, now);
}

/** What keeps a user from having one more token, beside those that they have. */
function tokenFaults(
  { login, role: own }: User,
  { name, role }: { readonly name: string; readonly role?: Role | undefined },
  tokens: readonly Token[],
  now: number,
): readonly TokenFault[] {
  const others = tokens.filter((token) => token.session === undefined && isGood(token, now));
  const faults: TokenFault[] = [];
  if (role !== undefined && !isWithin(role, own))
    faults.push({ code: 'invalid', field: 'role', message: `${login} is ${own}: a token cannot be ${role}.` });
  if (others.some((one) => one.name === name))
    faults.push({
      code: 'taken',
      field: 'name',
      message: `${login} has a token ${name} already: choose another name, or remove it first.`,
    });
  if (others.length >= MOST_TOKENS)
    faults.push({ code: 'too_large', field: 'base', message: `A user has at most ${MOST_TOKENS} tokens.` });
  return faults;
}
