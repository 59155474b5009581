import { planAuthority } from '../../access/authority.ts';
import { R_INSIGHTS } from '../../access/roles.ts';
import { notFound } from '../../errors.ts';
import { checkRoom, idOf } from '../../http/fields.ts';
import { listReply } from '../../http/page.ts';
import { created, noContent, show } from '../../http/reply.ts';
import { type Call, type Route, route } from '../../http/route.ts';
import { pageShape } from '../../http/shapes.ts';
import { change } from '../../resource/change.ts';
import { planOf } from '../../resource/plan.ts';
import { finderOf } from '../../resource/routes.ts';
import { keys } from '../../store/keys.ts';
import { BOARDS } from './board.ts';
import {
  BOARD_LINKS,
  type BoardLink,
  boardLinkShape,
  makersOf,
  newLinkKey,
  ofMaker,
  showBoardLink,
  viewsIn,
} from './board-link.ts';

const { path, storing, parse, body, required } = BOARD_LINKS;
type Place = Pick<Call, 'context' | 'params'>;

const findBoard = finderOf(BOARDS);
const linksIn = ({ context }: Pick<Place, 'context'>) => context.open(keys.boardLinks(context.site.name));

/** A route's `find`: returns the item of the link in the path; throws `not_found`. */
async function findLink(place: Place) {
  const board = await findBoard(place);
  const id = idOf(place.params.link_id);
  const item = storing.find(await linksIn(place), id);
  if (item === undefined || parse(item).board !== board.id) throw notFound(`link ${id}`);
  return item;
}

const usual = {
  roles: R_INSIGHTS,
  extension: true,
  reads: (site: string) => [keys.boards(site), keys.savedReports(site), keys.boardLinks(site)],
} as const;

/** Shows links as they are now, with their counts. */
async function showAll({ context }: Pick<Place, 'context'>, links: readonly BoardLink[]) {
  const { site, now, origin } = context;
  const [views, makers] = [await viewsIn(context), await makersOf(context, links)];
  return links.map((link) =>
    showBoardLink(link, {
      views: views.get(keys.linkViews(site.name, link.id).sk) ?? 0,
      maker: makers.get(link.owner),
      now,
      origin,
    }),
  );
}

/** The endpoints of links to a board: listed, made, shown and ended. Who makes or ends one passes the gate of authority. */
export const boardLinkRoutes: readonly Route[] = [
  route({
    ...usual,
    name: 'listBoardLinks',
    summary: 'List the links to a board by id',
    method: 'GET',
    path,
    list: true,
    reply: () => pageShape(boardLinkShape()),
    find: findBoard,
    handle: async (call) => {
      const { id: board } = call.resource;
      const own = storing
        .all(await linksIn(call))
        .map(parse)
        .filter((link) => link.board === board);
      const shown = await showAll(call, own);
      return listReply(call, {
        path: path.replace('{board_id}', String(board)),
        seeds: [shown],
        members: () => shown,
        show: (link) => link,
      });
    },
  }),
  route({
    ...usual,
    name: 'createBoardLink',
    summary: 'Make a link that shows a board without sign-in; its address is shown once. Needs a password or a session',
    method: 'POST',
    path,
    secret: true,
    body,
    required,
    example: { name: 'Board meeting', expires_in_days: 90 },
    reply: boardLinkShape,
    reads: (site) => [...usual.reads(site), keys.ids(site)],
    find: findBoard,
    handle: async ({ context, resource: { id: board }, fields: sent, faults }) => {
      const collection = await linksIn({ context });
      checkRoom('links to boards', storing.count(collection), faults);
      const plan = await planOf(BOARD_LINKS, { context, collection, before: undefined, sent, faults });
      faults.check();
      const { key, digest } = newLinkKey(Number(plan.id));
      const after = { ...plan, digest, ...ofMaker(context, board, sent.expires_in_days) };
      const link = parse(after);
      const { now, origin, user: maker } = context;
      const shown = showBoardLink(link, { views: 0, maker, now, origin, key });
      const answer = created(origin, shown._links.self.href, shown);
      const writes = await planAuthority(context, { link: true });
      await change(context, [{ collection, storing, edits: [{ before: undefined, after }] }], { answer, writes });
      return answer;
    },
  }),
  route({
    ...usual,
    name: 'showBoardLink',
    summary: 'Show a link to a board',
    method: 'GET',
    path: `${path}/{link_id}`,
    reply: boardLinkShape,
    find: findLink,
    handle: async ({ context, resource }) => show((await showAll({ context }, [parse(resource)]))[0]),
  }),
  route({
    ...usual,
    name: 'deleteBoardLink',
    summary: 'End a link to a board at once',
    method: 'DELETE',
    path: `${path}/{link_id}`,
    find: findLink,
    current: async ({ context, resource }) => (await showAll({ context }, [parse(resource)]))[0],
    handle: async ({ context, resource: before }) => {
      const collection = await linksIn({ context });
      const count = { delete: keys.linkViews(context.site.name, Number(before.id)) };
      const writes = [...(await planAuthority(context, { link: true })), count];
      await change(context, [{ collection, storing, edits: [{ before, after: undefined }] }], { writes });
      return noContent;
    },
  }),
];
