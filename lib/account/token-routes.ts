import * as z from 'zod';
import { R_READ, ROLES } from '../access/roles.ts';
import {
  endToken,
  listTokens,
  newToken,
  TOKEN_KINDS,
  type Token,
  tokenId,
  tokenKind,
  tokenWrite,
} from '../access/tokens.ts';
import { normalizeLogin } from '../access/users.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { idOf } from '../http/fields.ts';
import { created, noContent, type Reply, show } from '../http/reply.ts';
import { type Call, type Route, route } from '../http/route.ts';
import { idShape, linkShape, timestampShape } from '../http/shapes.ts';
import { timestamp } from '../text.ts';
import { isGood, TOKEN_FIELDS, tokenEnd, tokenFaults } from './new-token.ts';
import { presentedToken, requirePerson } from './presented-token.ts';

export const TOKENS_PATH = '/api/v2/tokens';

export const TOKEN_SHAPE = {
  id: idShape(),
  name: z.string(),
  kind: z.enum(TOKEN_KINDS),
  role: z.enum(ROLES).nullable().meta({ description: "null: the user's own" }),
  created_at: timestampShape(),
  expires_at: timestampShape().nullable(),
  last_used: z.iso.date().nullable().meta({ description: 'The day, in UTC' }),
  _links: z.object({ self: linkShape('token') }),
};

/** A token for replies, without the token itself. */
export const showToken = (token: Token) => {
  const { name, role, created: made, expires, used } = token;
  const id = tokenId(token);
  return {
    ...{ id, name, kind: tokenKind(token), role: role ?? null, created_at: timestamp(made) },
    expires_at: expires === undefined ? null : timestamp(expires),
    last_used: used ?? null,
    _links: { self: { href: `${TOKENS_PATH}/${id}`, class: 'token' as const } },
  };
};

/** The caller's tokens that are not over, oldest first. */
async function ownTokens({ table, site, user, now }: Context): Promise<readonly Token[]> {
  const all = await listTokens(table, site.name, normalizeLogin(user.login));
  return all.filter((token) => isGood(token, now));
}

/** How one of some tokens is found and ended. */
export const endsOne = (tokensOf: (context: Context) => Promise<readonly Token[]>) => ({
  find: async ({ context, params }: Pick<Call, 'context' | 'params'>): Promise<Token> => {
    const id = idOf(params.token_id);
    const found = (await tokensOf(context)).find((one) => tokenId(one) === id);
    if (found === undefined) throw notFound(`token ${id}`);
    return found;
  },
  handle: async ({ context, resource }: Pick<Call<Token>, 'context' | 'resource'>): Promise<Reply> => {
    await context.commit([], undefined, [endToken(context.site.name, resource)]);
    return noContent;
  },
});

const usual = { roles: R_READ, extension: true, reads: () => [] };

/** The caller's own tokens: listed, made for programs, and ended. */
export const tokenRoutes: readonly Route[] = [
  route({
    ...usual,
    name: 'listTokens',
    summary: "List the caller's own tokens and sessions, oldest first",
    method: 'GET',
    path: TOKENS_PATH,
    reply: () =>
      z.object({
        _embedded: z.object({
          entries: z.array(
            z.object({ ...TOKEN_SHAPE, current: z.boolean().meta({ description: 'The one that this request has' }) }),
          ),
        }),
      }),
    handle: async (call) => {
      const own = await presentedToken(call);
      const isCurrent = ({ hash }: Token): boolean => own !== 'none' && own.hash === hash;
      const entries = (await ownTokens(call.context)).map((one) => ({ ...showToken(one), current: isCurrent(one) }));
      return show({ _embedded: { entries } });
    },
  }),
  route({
    ...usual,
    name: 'createToken',
    summary: 'Make a token for a program; it is shown once. Needs a password or a session',
    method: 'POST',
    path: TOKENS_PATH,
    secret: true,
    body: TOKEN_FIELDS,
    required: ['name'],
    example: { name: 'nightly', role: 'Reporting Agent', expires_in: 90 },
    reply: () => z.object({ ...TOKEN_SHAPE, token: z.string() }),
    handle: async (call) => {
      const { context, fields, faults } = call;
      const { user, now, site } = context;
      await requirePerson(call);
      const { name = '', role, expires_in: days } = fields;
      for (const { code, field, message } of tokenFaults(user, { name, role }, await ownTokens(context), now))
        faults.explain(code, [field], { message });
      faults.check();
      const expires = tokenEnd(days, now);
      const { text, token } = newToken(user, { name, role, expires }, now);
      const reply = created(context.origin, `${TOKENS_PATH}/${tokenId(token)}`, { ...showToken(token), token: text });
      await context.commit([], reply, [tokenWrite(site.name, token)]);
      return reply;
    },
  }),
  route({
    ...usual,
    name: 'deleteToken',
    summary: "End one of the caller's own tokens or sessions at once",
    method: 'DELETE',
    path: `${TOKENS_PATH}/{token_id}`,
    ...endsOne(ownTokens),
  }),
];
