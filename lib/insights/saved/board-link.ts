import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { R_INSIGHTS } from '../../access/roles.ts';
import { isStill, normalizeLogin, parseUser, type User } from '../../access/users.ts';
import type { Context } from '../../context.ts';
import { linkShape, timestampShape } from '../../http/shapes.ts';
import { nameText, type ThingOf, times } from '../../resource/field.ts';
import { resource } from '../../resource/resource.ts';
import { thingsIn } from '../../resource/storing.ts';
import { keys, members } from '../../store/keys.ts';
import type { Item, Table } from '../../store/table.ts';
import { timestamp } from '../../text.ts';

const BOARDS_PATH = '/api/v2/boards';
/** Where the numbers of a board are answered to who has a link to it, without sign-in. */
export const SHARED_PATH = '/api/v2/shared_boards';
/** The page that shows them. The key stands in the fragment, which no browser sends to a server. */
const SHARED_PAGE = '/console/shared';

const DAY = 86_400_000; // ms
const USUAL_LIFE = 30; // days
const LONGEST_LIFE = 366; // days

/** Links by which people look at a board without signing in. The key is in none of them: it is told once. */
export const BOARD_LINKS = resource({
  one: 'board_link',
  path: `${BOARDS_PATH}/{board_id}/links`,
  at: ({ id, board }) => `${BOARDS_PATH}/${board}/links/${id}`,
  storing: thingsIn(keys.boardLinks, members.boardLink),
  roles: R_INSIGHTS,
  fields: {
    name: nameText({ required: true }),
    expires_in_days: {
      body: z
        .int('invalid')
        .min(1, 'invalid')
        .max(LONGEST_LIFE, 'invalid')
        .meta({ description: `${USUAL_LIFE} if absent`, examples: [90] }),
    },
    board: { stored: z.int() },
    digest: { stored: z.string() }, // SHA-256 of the key, in hex
    owner: {
      stored: z.string(), // login in lower case
      shown: () => z.string().meta({ description: 'Login of the user who made it: it ends with them' }),
    },
    generation: { stored: z.number() }, // of the owner
    expires_at: {
      stored: z.number(), // epoch ms, exclusive
      shown: timestampShape,
      show: (at: number) => timestamp(at),
    },
    created_at: times().created_at,
  },
});

export type BoardLink = ThingOf<typeof BOARD_LINKS.fields>;

/** A link as replies show it. */
export const boardLinkShape = () =>
  z.object({
    id: z.int().positive(),
    name: z.string(),
    owner: z.string().meta({ description: 'Login of the user who made it: it ends with them' }),
    views: z.int().nonnegative().meta({ description: 'How often its numbers were asked for' }),
    expires_at: timestampShape(),
    ended: z.enum(['expired', 'maker']).nullable().meta({ description: 'Why it shows nothing any more' }),
    created_at: timestampShape(),
    url: z.string().nullable().meta({ description: 'The page that it opens; only in the reply that makes it' }),
    _links: z.object({
      self: linkShape('board_link'),
      board: linkShape('board'),
      data: linkShape('shared_board')
        .nullable()
        .meta({ description: 'The numbers as JSON, without sign-in; only in the reply that makes it' }),
    }),
  });

/** What a reply says of a link besides its fields. */
interface Beside {
  readonly views: number;
  readonly maker: User | undefined;
  readonly now: number; // epoch ms
  readonly origin: string;
  readonly key?: string; // of a new link
}

/** A link for replies. */
export function showBoardLink(link: BoardLink, { views, maker, now, origin, key }: Beside) {
  const { id, name, owner, board, expires_at, created_at } = link;
  return {
    id,
    name,
    owner,
    views,
    expires_at: timestamp(expires_at),
    ended: endOf(link, maker, now),
    created_at: timestamp(created_at),
    url: key === undefined ? null : `${origin}${SHARED_PAGE}#${key}`,
    _links: {
      self: { href: `${BOARDS_PATH}/${board}/links/${id}`, class: 'board_link' },
      board: { href: `${BOARDS_PATH}/${board}`, class: 'board' },
      data: key === undefined ? null : { href: `${SHARED_PATH}/${key}`, class: 'shared_board' },
    },
  };
}

/** Why a link shows nothing: its time is over, or its maker is gone or may see no reports any more; null if it does. */
export function endOf({ expires_at, generation, created_at }: BoardLink, maker: User | undefined, now: number) {
  const isThere = maker !== undefined && !maker.deleted && R_INSIGHTS.includes(maker.role);
  if (!isThere || !isStill(maker, { generation, at: created_at })) return 'maker';
  return expires_at <= now ? 'expired' : null;
}

const KEY = /^([1-9]\d{0,15})-([A-Za-z0-9_-]{43})$/;

const digestOf = (key: string): string => hash('sha256', key, 'hex');

/** A new link's key, of its id and 32 random bytes, and what is stored of it. */
export function newLinkKey(id: number): { readonly key: string; readonly digest: string } {
  const key = `${id}-${randomBytes(32).toString('base64url')}`;
  return { key, digest: digestOf(key) };
}

/** The link that a key opens; undefined for any other text. The time that it takes tells nothing of the right key. */
export async function linkOfKey(table: Table, site: string, key: string): Promise<BoardLink | undefined> {
  const [, id] = KEY.exec(key) ?? [];
  if (id === undefined) return undefined;
  const item = await table.get({ ...keys.boardLinks(site), sk: members.boardLink(Number(id)) });
  if (item === undefined) return undefined;
  const link = BOARD_LINKS.parse(item);
  return timingSafeEqual(Buffer.from(link.digest), Buffer.from(digestOf(key))) ? link : undefined;
}

/** What a new link has besides what its maker sends. */
export const ofMaker = (
  { user, now }: Pick<Context, 'user' | 'now'>,
  board: number,
  days = USUAL_LIFE,
): Omit<BoardLink, 'id' | 'name' | 'digest' | 'created_at'> => ({
  board,
  owner: normalizeLogin(user.login),
  generation: user.generation ?? 0,
  expires_at: now + days * DAY,
});

/** The makers of links, by login. */
export async function makersOf(
  { table, site }: Pick<Context, 'table' | 'site'>,
  links: readonly Pick<BoardLink, 'owner'>[],
): Promise<ReadonlyMap<string, User>> {
  const logins = [...new Set(links.map(({ owner }) => owner))];
  const items = await table.batchGet(logins.map((login) => keys.user(site.name, login)));
  return new Map(
    items.flatMap((item) => (item ? [parseUser(item)] : [])).map((user) => [normalizeLogin(user.login), user]),
  );
}

/** How often the numbers of each link of a site were asked for, by sort key of its counter. */
export async function viewsIn({ table, site }: Pick<Context, 'table' | 'site'>): Promise<ReadonlyMap<string, number>> {
  const prefix = keys.linkViews(site.name, 0).sk.slice(0, -1);
  const items = await table.query(keys.sharedBoards(site.name).pk, { prefix });
  return new Map(items.map(({ sk, count }: Item) => [sk, Number(count)]));
}
