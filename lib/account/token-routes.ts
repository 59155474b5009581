import * as z from 'zod';
import { changeAuthority } from '../access/authority.ts';
import { R_READ, ROLES } from '../access/roles.ts';
import { listTokens, TOKEN_KINDS, type Token, tokenId, tokenKind } from '../access/tokens.ts';
import { normalizeLogin } from '../access/users.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { idOf } from '../http/fields.ts';
import { created, noContent, type Reply, show } from '../http/reply.ts';
import { type Call, type Route, route } from '../http/route.ts';
import { idShape, linkShape, timestampShape } from '../http/shapes.ts';
import { timestamp } from '../text.ts';
import { isGood, planToken, TOKEN_FIELDS } from './new-token.ts';

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
    id,
    name,
    kind: tokenKind(token),
    role: role ?? null,
    created_at: timestamp(made),
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

/** The token or session that a request came with; undefined if it came with a password. */
export async function ownToken(context: Context): Promise<Token | undefined> {
  const { actor } = context;
  const id = typeof actor === 'string' ? undefined : actor.credential.token;
  return id === undefined ? undefined : (await ownTokens(context)).find((token) => tokenId(token) === id);
}

/** How the token of a path is found. */
const findIn =
  (tokensOf: (context: Context) => Promise<readonly Token[]>) =>
  async ({ context, params }: Pick<Call, 'context' | 'params'>): Promise<Token> => {
    const id = idOf(params.token_id);
    const token = (await tokensOf(context)).find((one) => tokenId(one) === id);
    if (token === undefined) throw notFound(`token ${id}`);
    return token;
  };

/** The routes of one token below a path: shown, and ended at once. */
export const routesOfToken = <S extends { readonly id: number }>({
  path,
  names,
  tokensOf,
  show: shown,
  ...declared
}: {
  readonly path: string;
  readonly names: readonly [string, string];
  readonly whose: string;
  readonly roles: Route['roles'];
  readonly tokensOf: (context: Context) => Promise<readonly Token[]>;
  readonly shape: () => z.ZodType<S>;
  readonly show: (token: Token) => S;
}): readonly Route[] => {
  const { whose, roles, shape } = declared;
  const usual = { path: `${path}/{token_id}`, roles, extension: true, reads: () => [], find: findIn(tokensOf) };
  return [
    route({
      ...usual,
      name: names[0],
      summary: `Show a token or session of ${whose}`,
      method: 'GET',
      reply: shape,
      handle: ({ resource }) => show(shown(resource)),
    }),
    route({
      ...usual,
      name: names[1],
      summary: `End a token or session of ${whose} at once. A program ends its own token alone`,
      method: 'DELETE',
      handle: async ({ context, resource }): Promise<Reply> => {
        await changeAuthority(context, { tokens: [{ before: resource, after: undefined }] });
        return noContent;
      },
    }),
  ];
};

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
    handle: async ({ context }) => {
      const own = await ownToken(context);
      const entries = (await ownTokens(context)).map((one) => ({ ...showToken(one), current: one.hash === own?.hash }));
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
    handle: async ({ context, fields, faults }) => {
      const { text, token } = await planToken(context, context.user, { name: '', ...fields }, faults);
      const reply = created(context.origin, `${TOKENS_PATH}/${tokenId(token)}`, { ...showToken(token), token: text });
      await changeAuthority(context, { tokens: [{ before: undefined, after: token }] }, { answer: reply });
      return reply;
    },
  }),
  ...routesOfToken({
    path: TOKENS_PATH,
    names: ['showToken', 'deleteToken'],
    whose: 'the caller',
    roles: R_READ,
    tokensOf: ownTokens,
    shape: () => z.object(TOKEN_SHAPE),
    show: showToken,
  }),
];
