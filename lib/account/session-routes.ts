import * as z from 'zod';
import { R_READ, ROLES } from '../access/roles.ts';
import { endToken, listTokens, newSession, type Token, tokenId, tokenWrite } from '../access/tokens.ts';
import { normalizeLogin } from '../access/users.ts';
import { notFound } from '../errors.ts';
import { booleanField, shortTextField } from '../http/fields.ts';
import { created, noContent } from '../http/reply.ts';
import { type Route, route } from '../http/route.ts';
import { idShape, timestampShape } from '../http/shapes.ts';
import { timestamp } from '../text.ts';
import { presentedToken, requirePerson } from './presented-token.ts';
import { TOKENS_PATH } from './token-routes.ts';

const SESSION_PATH = '/api/v2/session';
const MOST = 20; // sessions of a user: one more ends the oldest
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
    handle: async (call) => {
      const { context, fields, faults } = call;
      const { site, table, user, now } = context;
      await requirePerson(call, false);
      faults.check();
      const { text, token } = newSession(
        user,
        { name: fields.name?.trim() || 'Session', keeps: fields.keep ?? false },
        now,
      );
      const before = await listTokens(table, site.name, normalizeLogin(user.login));
      const body = {
        ...{ id: tokenId(token), token: text, login: user.login, role: user.role },
        expires_at: timestamp(now + token.session.idle),
      };
      const reply = created(context.origin, `${TOKENS_PATH}/${body.id}`, body);
      const ended = overOrTooMany(before, now).map((one) => endToken(site.name, one));
      await context.commit([], reply, [tokenWrite(site.name, token), ...ended]);
      return reply;
    },
  }),
  route({
    ...usual,
    name: 'deleteSession',
    summary: 'Sign out: end the session whose token the request has',
    method: 'DELETE',
    handle: async (call) => {
      const token = await presentedToken(call);
      if (token === 'none' || token.session === undefined) throw notFound('session of this request');
      await call.context.commit([], undefined, [endToken(call.context.site.name, token)]);
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
  return [...over, ...good.slice(0, Math.max(0, good.length + 1 - MOST))].slice(0, AT_ONCE);
}
