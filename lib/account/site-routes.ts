import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { ownItem } from '../access/agents.ts';
import { recordName } from '../access/records.ts';
import { R_READ, R_SETTINGS, ROLES } from '../access/roles.ts';
import { RATINGS, readSite, type Site, siteWrite } from '../access/sites.ts';
import { belongsTo, listTokens, type Token } from '../access/tokens.ts';
import { listUsers, normalizeLogin } from '../access/users.ts';
import { caseUrlFault } from '../case-url.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { show } from '../http/reply.ts';
import { type Route, route } from '../http/route.ts';
import { idShape, linkShape } from '../http/shapes.ts';
import { WEEK_DAYS } from '../vocabulary.ts';
import { isGood } from './new-token.ts';
import { changedSite, localesFault, SITE_FIELDS } from './site-settings.ts';
import { endsOne, showToken, TOKEN_SHAPE } from './token-routes.ts';
import { agents, USERS_PATH } from './user-routes.ts';

const SITE_PATH = '/api/v2/site';

const shape = () =>
  z.object({
    name: z.string().meta({ description: 'As people see it' }),
    time_zone: z.string(),
    week_start: z.enum(WEEK_DAYS),
    rating: z.enum(RATINGS),
    locales: z.array(z.string()),
    default_locale: z.string(),
    case_url: z.string().nullable().meta({ description: 'Address of a case in the help desk; {case} is its id' }),
    _links: z.object({ self: linkShape('site') }),
  });

const shownSite = (site: Site) => ({
  name: site.title,
  time_zone: site.timeZone,
  week_start: site.weekStart,
  rating: site.rating,
  locales: site.locales,
  default_locale: site.defaultLocale,
  case_url: site.caseUrl ?? null,
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
    summary: 'Change the given settings of the site',
    method: 'PATCH',
    path: SITE_PATH,
    body: SITE_FIELDS,
    example: { time_zone: 'Europe/Berlin', case_url: 'https://help.example/tickets/{case}' },
    reply: shape,
    find: freshSite,
    current: ({ resource }) => shownSite(resource),
    handle: async ({ context, resource: before, fields, faults }) => {
      const { case_url: caseUrl, locales, name: title, time_zone: timeZone, week_start: weekStart, rating } = fields;
      const wrong = typeof caseUrl === 'string' ? caseUrlFault(caseUrl) : undefined;
      if (wrong !== undefined) faults.explain('invalid', ['case_url'], { message: wrong });
      const lacking = locales === undefined ? undefined : localesFault(before, locales);
      if (lacking !== undefined) faults.explain('invalid', ['locales'], { message: lacking });
      faults.check();
      const after = changedSite(before, { title, timeZone, weekStart, rating, locales, caseUrl });
      if (!isDeepStrictEqual(after, before)) await context.commit([], undefined, [siteWrite(before, after)]);
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
              _links: z.object({ user: linkShape('user').nullable() }),
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
          ...{ login, role, name: agent === undefined ? login : recordName(agent), user: id },
          ...{ has_password: password !== undefined, tokens: own.length },
          last_used: own.map(({ used }) => used).reduce(later, null),
          _links: { user: id === null ? null : { href: `${USERS_PATH}/${id}`, class: 'user' } },
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
    reply: () =>
      z.object({ _embedded: z.object({ entries: z.array(z.object({ ...TOKEN_SHAPE, login: z.string() })) }) }),
    handle: async ({ context }) => {
      const entries = (await goodTokens(context)).map(showSiteToken);
      return show({ _embedded: { entries } });
    },
  }),
  route({
    ...usual,
    name: 'deleteSiteToken',
    summary: 'End a token or session of any user at once',
    method: 'DELETE',
    path: `${SITE_PATH}/tokens/{token_id}`,
    ...endsOne(goodTokens),
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

const showSiteToken = (token: Token) => {
  const { _links: _, ...shown } = showToken(token);
  return {
    ...shown,
    login: token.login,
    _links: { self: { href: `${SITE_PATH}/tokens/${shown.id}`, class: 'token' } },
  };
};

const later = (a: string | null, b: string | undefined): string | null =>
  b === undefined || (a !== null && a > b) ? a : b;
