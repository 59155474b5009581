import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { ownItem } from '../access/agents.ts';
import { changeAuthority } from '../access/authority.ts';
import { recordName } from '../access/records.ts';
import { R_READ, R_SETTINGS, ROLES } from '../access/roles.ts';
import { changeBy, changedSite, type Site } from '../access/site-fields.ts';
import { readSite } from '../access/sites.ts';
import { belongsTo, listTokens, type Token } from '../access/tokens.ts';
import { listUsers, normalizeLogin } from '../access/users.ts';
import { caseUrlFault } from '../case-url.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { show } from '../http/reply.ts';
import { type Route, route } from '../http/route.ts';
import { idShape, linkShape } from '../http/shapes.ts';
import { LINKED, linkedShape, linkTo } from '../resource/link.ts';
import { isGood } from './new-token.ts';
import { localesFault, NO_ENGINE, SITE_BODY, shownSettings, siteShape } from './site-settings.ts';
import { routesOfToken, showToken, TOKEN_SHAPE } from './token-routes.ts';
import { agents } from './user-routes.ts';

const SITE_PATH = '/api/v2/site';

const shape = () => z.object({ ...siteShape(), _links: z.object({ self: linkShape('site') }) });

const shownSite = (site: Site) => ({
  ...shownSettings(site),
  _links: { self: { href: SITE_PATH, class: 'site' } },
});

async function freshSite({ context: { site, table } }: { readonly context: Context }): Promise<Site> {
  const fresh = await readSite(table, site.name); // of the request's own one an earlier write may have come first
  if (fresh === undefined) throw notFound('site');
  return fresh;
}

const usual = { roles: R_SETTINGS, extension: true, reads: () => [] } as const;

/** A site's settings, and who has the keys to it: its logins and their tokens. */
export const siteRoutes: readonly Route[] = [
  route({
    ...usual,
    name: 'showSite',
    summary: 'Show the settings of the site',
    method: 'GET',
    path: SITE_PATH,
    roles: R_READ,
    reply: shape,
    handle: ({ context }) => show(shownSite(context.site)),
  }),
  route({
    ...usual,
    name: 'updateSite',
    summary: 'Change the given settings of the site. Needs a password or a session',
    method: 'PATCH',
    path: SITE_PATH,
    body: SITE_BODY,
    example: { time_zone: 'Europe/Berlin', case_url: 'https://help.example/tickets/{case}' },
    reply: shape,
    find: freshSite,
    current: ({ resource }) => shownSite(resource),
    handle: async ({ context, resource: before, fields, faults }) => {
      const change = changeBy(fields);
      const { caseUrl, engine, locales } = change;
      const wrong = typeof caseUrl === 'string' ? caseUrlFault(caseUrl) : undefined;
      if (wrong !== undefined) faults.explain('invalid', ['case_url'], { message: wrong });
      const lacking = locales ? localesFault(before, locales) : undefined;
      if (lacking !== undefined) faults.explain('invalid', ['locales'], { message: lacking });
      if (engine === 'warehouse' && context.hasEngine !== true)
        faults.explain('invalid', ['engine'], { message: NO_ENGINE });
      faults.check();
      const after = changedSite(before, change);
      if (!isDeepStrictEqual(after, before)) await changeAuthority(context, { site: { before, after } });
      return show(shownSite(after));
    },
  }),
  route({
    ...usual,
    name: 'listLogins',
    summary: 'List who may sign in to the site, by login',
    method: 'GET',
    path: `${SITE_PATH}/logins`,
    reads: (site) => [agents(site)],
    reply: () =>
      z.object({
        _embedded: z.object({
          entries: z.array(
            z.object({
              login: z.string(),
              role: z.enum(ROLES),
              name: z.string(),
              user: idShape().nullable().meta({ description: 'Id among the users; null where there is no record' }),
              has_password: z.boolean().meta({ description: 'Without one nobody can sign in' }),
              tokens: z.int().meta({ description: 'Tokens and sessions that have not ended' }),
              last_used: z.iso.date().nullable().meta({ description: 'The last day of a token or session, in UTC' }),
              _links: z.object({ user: linkedShape('user') }),
            }),
          ),
        }),
      }),
    handle: async ({ context }) => {
      const { site, table } = context;
      const collection = await context.open(agents(site.name));
      const tokens = await goodTokens(context);
      const users = (await listUsers(table, site.name)).filter(({ deleted }) => !deleted);
      const entries = users.map((user) => {
        const { login, role, password } = user;
        const agent = ownItem(collection, user);
        const own = tokens.filter((token) => token.login === normalizeLogin(login));
        const id = agent === undefined ? null : Number(agent.id);
        return {
          login,
          role,
          name: agent === undefined ? login : recordName(agent),
          user: id,
          has_password: password !== undefined,
          tokens: own.length,
          last_used: own.map(({ used }) => used).reduce(later, null),
          _links: { user: linkTo(LINKED.agent, id, collection) },
        };
      });
      return show({ _embedded: { entries } });
    },
  }),
  route({
    ...usual,
    name: 'listSiteTokens',
    summary: 'List the tokens and sessions of all users, oldest first',
    method: 'GET',
    path: `${SITE_PATH}/tokens`,
    reply: () => z.object({ _embedded: z.object({ entries: z.array(siteTokenShape()) }) }),
    handle: async ({ context }) => {
      const entries = (await goodTokens(context)).map(showSiteToken);
      return show({ _embedded: { entries } });
    },
  }),
  ...routesOfToken({
    path: `${SITE_PATH}/tokens`,
    names: ['showSiteToken', 'deleteSiteToken'],
    whose: 'any user',
    roles: R_SETTINGS,
    tokensOf: goodTokens,
    shape: siteTokenShape,
    show: showSiteToken,
  }),
];

/** The tokens of a site that let somebody in. */
async function goodTokens({ table, site, now }: Context): Promise<readonly Token[]> {
  const users = new Map((await listUsers(table, site.name)).map((user) => [normalizeLogin(user.login), user]));
  return (await listTokens(table, site.name)).filter((token) => {
    const user = users.get(token.login);
    return user !== undefined && !user.deleted && belongsTo(token, user) && isGood(token, now);
  });
}

/** A token of any user, as replies show it. */
export function siteTokenShape() {
  return z.object({ ...TOKEN_SHAPE, login: z.string() });
}

/** Shows a token of any user, without the token itself. */
export function showSiteToken(token: Token) {
  const { _links: _, ...shown } = showToken(token);
  return {
    ...shown,
    login: token.login,
    _links: { self: { href: `${SITE_PATH}/tokens/${shown.id}`, class: 'token' as const } },
  };
}

const later = (a: string | null, b: string | undefined): string | null =>
  b === undefined || (a !== null && a > b) ? a : b;
