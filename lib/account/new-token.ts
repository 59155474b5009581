import * as z from 'zod';
import { isWithin, ROLES, type Role } from '../access/roles.ts';
import type { Token } from '../access/tokens.ts';
import type { User } from '../access/users.ts';
import type { FaultCode } from '../fault-details.ts';
import { nameField, wordField } from '../http/fields.ts';

const LONGEST_LIFE = 3_650; // days
const DAY = 86_400_000; // ms
const MOST = 100; // tokens of a user, without sessions

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

/** The end of a token that is made now, in epoch ms; undefined if it has none. */
export const tokenEnd = (days: number | undefined, now: number): number | undefined =>
  days === undefined ? undefined : now + days * DAY;

/** Whether a token has not expired; `now` in epoch ms. */
export const isGood = ({ expires = Number.POSITIVE_INFINITY }: Token, now: number): boolean => expires > now;

interface TokenFault {
  readonly code: FaultCode;
  readonly field: 'name' | 'role' | 'base';
  readonly message: string;
}

/** What keeps a user from having one more token, beside those that they have. */
export function tokenFaults(
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
      ...{ code: 'taken', field: 'name' },
      message: `${login} has a token ${name} already: choose another name, or remove it first.`,
    });
  if (others.length >= MOST)
    faults.push({ code: 'too_large', field: 'base', message: `A user has at most ${MOST} tokens.` });
  return faults;
}
