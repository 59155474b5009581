import { createRates } from '../../access/rates.ts';
import type { Site } from '../../access/site-fields.ts';
import { parseUser } from '../../access/users.ts';
import { type Failure, notFound, tooManyRequests, wrongMethod } from '../../errors.ts';
import { siteOfHost } from '../../http/caller.ts';
import { ifNoneMatch, type Reply } from '../../http/reply.ts';
import type { Request } from '../../http/request.ts';
import { BOARDS } from '../../insights/saved/board.ts';
import { type BoardLink, endOf, linkOfKey, SHARED_PATH } from '../../insights/saved/board-link.ts';
import { SAVED_REPORTS } from '../../insights/saved/saved-report.ts';
import { createCollections } from '../../store/collection.ts';
import { keys } from '../../store/keys.ts';
import { readItems } from '../../store/read-items.ts';
import type { Item } from '../../store/table.ts';
import { askedBy, createNumbersCache, type NumbersTools } from './kept-numbers.ts';

const MOST_A_MINUTE = 120_000; // requests of all viewers of a site
const VIEWERS = 'viewers of links'; // no user's login: under it they are counted
const COUNT_EVERY = 10_000; // ms between two writes of a link's count
const DAY = 86_400; // s
const COUNT_KEPT = 30; // days after a link's end

/** The headers of what a link opens: it is in no index and no cache of others, and names itself to no other page. */
const LINK_HEADERS = {
  'Cache-Control': 'no-cache, private',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
} as const;

/**
 * Answers who has a link to a board with its numbers, without sign-in (docs/design/boards.md). Undefined for every other
 * path. Throws `not_found` for a key that opens nothing, whatever the reason, `too_many_requests` and `unavailable`.
 */
export function createSharedBoards(tools: NumbersTools): (request: Request) => Promise<Reply | undefined> {
  const { table, clock } = tools;
  const numbersOf = createNumbersCache(tools);
  const rates = createRates(tools.newId);
  const collections = createCollections();
  const count = createCounts(tools);

  /** What a board and its reports ask for now. Throws `not_found` if the board is gone. */
  async function boardNow(site: Site, { board, owner }: BoardLink) {
    const [boards, reports] = [keys.boards(site.name), keys.savedReports(site.name)];
    const itemOf = await readItems(table, [keys.user(site.name, owner), keys.head(boards), keys.head(reports)]);
    const user = itemOf(keys.user(site.name, owner));
    const opened = await collections.open(table, boards, itemOf(keys.head(boards)), site.added);
    const saved = await collections.open(table, reports, itemOf(keys.head(reports)), site.added);
    const item = BOARDS.storing.find(opened, board);
    if (item === undefined) throw nothing();
    return { maker: user && parseUser(user), of: askOf(item, saved.items, site) };
  }

  return async (request) => {
    const { method, path, host, headers } = request;
    if (!path.startsWith(`${SHARED_PATH}/`)) return undefined;
    if (method !== 'GET' && method !== 'HEAD') throw wrongMethod(method, SHARED_PATH, 'GET, HEAD');
    const site = await siteOfHost(table, host);
    if (site === undefined) throw nothing();
    const now = clock();
    const rate = { site: site.name, login: VIEWERS, limit: MOST_A_MINUTE, read: undefined, now };
    const { passes, reset } = await rates.enter(table, rate);
    if (!passes) throw tooManyRequests(`The limit of ${MOST_A_MINUTE} requests a minute is reached.`, reset);
    const link = await linkOfKey(table, site.name, path.slice(SHARED_PATH.length + 1).replace(/\/$/, ''));
    if (link === undefined) throw nothing();
    const { maker, of } = await boardNow(site, link);
    if (maker === undefined || endOf(link, maker, now) !== null) throw nothing();
    const { body, etag } = await numbersOf({ site, maker, board: link.board, of, origin: request.origin });
    await count(site.name, link);
    const reply = { headers: { ETag: etag, ...LINK_HEADERS } };
    return ifNoneMatch(headers['if-none-match'], etag) ? { status: 304, ...reply } : { status: 200, body, ...reply };
  };
}

/** One sentence for a key that is wrong, ended, expired or of a removed board: it tells nobody which. */
const nothing = (): Failure => notFound('link with this key');

/** What a board asks for, found once a version of its collections. */
const askOf = createAsks();

function createAsks() {
  const tags = new WeakMap<ReadonlyMap<string, Item>, WeakMap<Item, string>>();
  return (board: Item, reports: ReadonlyMap<string, Item>, site: Site): string => {
    const ofReports = tags.get(reports) ?? new WeakMap<Item, string>();
    tags.set(reports, ofReports);
    const made = ofReports.get(board);
    if (made !== undefined) return made;
    const { name, tiles, time, filters } = BOARDS.parse(board);
    const asked = tiles.map(({ saved_report }) => {
      const item = [...reports.values()].find(({ id }) => id === saved_report);
      const report = item && SAVED_REPORTS.parse(item);
      return report && [report.name, report.request];
    });
    const of = askedBy(name, tiles, time, filters, asked, site.timeZone);
    ofReports.set(board, of);
    return of;
  };
}

/** Counts how often links were looked through: at once, and then at most every ten seconds those that came between. */
function createCounts({ table, clock }: Pick<NumbersTools, 'table' | 'clock'>) {
  const waiting = new Map<string, { views: number; written: number }>(); // epoch ms
  return async (site: string, { id, expires_at }: BoardLink): Promise<void> => {
    const name = `${site}\n${id}`;
    const own = waiting.get(name) ?? { views: 0, written: Number.NEGATIVE_INFINITY };
    waiting.set(name, own);
    own.views += 1;
    if (clock() - own.written < COUNT_EVERY) return;
    const { views } = own;
    Object.assign(own, { views: 0, written: clock() });
    try {
      const ttl = Math.ceil(expires_at / 1000) + COUNT_KEPT * DAY;
      await table.add(keys.linkViews(site, id), { count: views }, ttl);
    } catch {
      own.views += views; // the numbers are answered all the same
    }
  };
}
