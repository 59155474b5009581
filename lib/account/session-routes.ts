import * as z from 'zod';
import { changeAuthority } from '../access/authority.ts';
import { R_READ, ROLES } from '../access/roles.ts';
import { listTokens, newSession, type Token, tokenId } from '../access/tokens.ts';
import { normalizeLogin } from '../access/users.ts';
import { notFound } from '../errors.ts';
import { booleanField, shortTextField } from '../http/fields.ts';
import { created, noContent } from '../http/reply.ts';
import { type Route, route } from '../http/route.ts';
import { idShape, timestampShape } from '../http/shapes.ts';
import { timestamp } from '../text.ts';
import { ownToken, TOKENS_PATH } from './token-routes.ts';

const SESSION_PATH = '/api/v2/session';
export const MOST_SESSIONS = 20; // sessions of a user: one more ends the oldest
const LONGEST_NAME = 100; // code points

const usual = { path: SESSION_PATH, roles: R_READ, extension: true, reads: () => [] };

/** A session: signing in once with a password, and signing out. */
export const sessionRoutes: readonly Route[] = [
  route({
    ...usual,
    name: 'createSession',
    summary: 'Sign in with a password, for a token that browsers use; it is shown once',
    method: 'POST',
    secret: true,
    body: {
      keep: booleanField().meta({ description: 'Ends after 30 days without use instead of 12 hours' }),
      name: shortTextField(LONGEST_NAME).meta({ description: 'Tells it from others in the list of tokens' }),
    },
    example: { keep: false, name: 'Console' },
    reply: () =>
      z.object({
        id: idShape().meta({ description: 'Among the tokens of the user' }),
        token: z.string(),
        login: z.string(),
        role: z.enum(ROLES),
        expires_at: timestampShape().meta({ description: 'Where it is not used before' }),
      }),
    handle: async ({ context, fields, faults }) => {
      const { site, table, user, now } = context;
      faults.check();
      const { text, token } = newSession(
        user,
        { name: fields.name?.trim() || 'Session', keeps: fields.keep ?? false },
        now,
      );
      const before = await listTokens(table, site.name, normalizeLogin(user.login));
      const body = {
        id: tokenId(token),
        token: text,
        login: user.login,
        role: user.role,
        expires_at: timestamp(now + token.session.idle),
      };
      const reply = created(context.origin, `${TOKENS_PATH}/${body.id}`, body);
      const ended = overOrTooMany(before, now).map((session) => ({ before: session, after: undefined }));
      await changeAuthority(context, { tokens: [{ before: undefined, after: token }, ...ended] }, { answer: reply });
      return reply;
    },
  }),
  route({
    ...usual,
    name: 'deleteSession',
    summary: 'Sign out: end the session whose token the request has',
    method: 'DELETE',
    handle: async ({ context }) => {
      const token = await ownToken(context);
      if (token?.session === undefined) throw notFound('session of this request');
      await changeAuthority(context, { tokens: [{ before: token, after: undefined }] });
      return noContent;
    },
  }),
];

const AT_ONCE = 50; // sessions that one request ends: a transaction takes 100 items

/** The sessions that a new one ends: those that are over, and the oldest of too many. */
function overOrTooMany(tokens: readonly Token[], now: number): readonly Token[] {
  const sessions = tokens.filter(({ session }) => session !== undefined);
  const good = sessions.filter(({ expires = 0 }) => expires > now);
  const over = sessions.filter(({ expires = 0 }) => expires <= now);
  return [...over, ...good.slice(0, Math.max(0, good.length + 1 - MOST_SESSIONS))].slice(0, AT_ONCE);
}
