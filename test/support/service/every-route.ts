import { type Route, takesBody } from '../../../lib/http/route.ts';
import { routes } from '../../../lib/routes.ts';
import type { Ask, Sent } from './asking.ts';

/** A request that its route takes. */
export interface TakenRequest {
  readonly target: string;
  readonly body: string; // empty: none
}

/** What requests need to know of the site that they are sent to. */
export interface RequestSite {
  readonly ask: Ask;
  readonly sent: Pick<Sent, 'headers'>; // a person's credentials, as the token of a program may not create everything
  readonly login: string; // of a user, who gets mails
  readonly password: string; // of the caller
  /** What stands in a path for things that no request creates, by the parameter's name. */
  readonly ids: Readonly<Record<string, string>>;
  /** Called with each import that was created: its file has only arrived. */
  readonly onImport?: (id: number, route: Route) => Promise<void>;
}

const FILE = {
  name: 'events.ndjson',
  text: '{"type":"case.created","id":"a","case":7,"at":"2025-10-01T10:00:00Z"}\nno record\n',
};
const ONE_NUMBER = { fields: ['case_creates'], time: { last: 4, unit: 'week', window_size: 'none' } };

const queryOf = ({ streams }: Route): string => (streams ? `?name=${FILE.name}` : '');

const paths = new Set(routes.map(({ path }) => path));

/** The route that creates what stands at a parameter of a path; undefined if no request does. */
function creatorOf(collection: string, parameter: string): Route | undefined {
  const creators = routes.filter(({ success, path }) => success === 201 && paths.has(`${path}/${parameter}`));
  return creators.find(({ path }) => path === collection) ?? creators.find(({ path }) => !path.includes('{'));
}

/**
 * Makes requests of routes: the body is the example of the route's declaration under names of its own, and what stands
 * in the path is created by the route that creates such things. So a new route needs no entry anywhere.
 */
export function createRequests(site: RequestSite): (route: Route) => Promise<TakenRequest> {
  const { ask, login, password, ids, onImport } = site;
  let count = 0;
  let [topic, report, board] = ['', '', '']; // ids of what examples refer to

  function bodyOf(route: Route): string {
    if (!takesBody(route)) return '';
    if (route.streams) return FILE.text;
    const sent: Record<string, unknown> = { ...Object(route.example) };
    count += 1;
    if (typeof sent.name === 'string') sent.name += `-${count}`;
    if (typeof sent.login === 'string') sent.login = `${count}-${sent.login}`;
    if (sent.recipients !== undefined) sent.recipients = [login];
    if (sent.board !== undefined) sent.board = Number(board);
    if (sent.current_password !== undefined) Object.assign(sent, { password, current_password: password });
    return JSON.stringify(sent)
      .replace('/api/v2/topics/1"', `/api/v2/topics/${topic}"`)
      .replace('"saved_report":1,', `"saved_report":${report},`);
  }

  /** Creates something by the path of a collection; returns its id. */
  async function create(target: string, body: unknown): Promise<string> {
    const reply = await ask('POST', target, { ...site.sent, body });
    if (reply.status !== 201) throw new Error(`POST ${target}: ${reply.status} ${reply.text}`);
    return String(reply.body.id ?? reply.body.locale);
  }

  async function idAt(parameter: string, at: { readonly target: string; readonly template: string }, route: Route) {
    const name = parameter.slice(1, -1);
    const creator = creatorOf(at.template, parameter);
    if (creator === undefined) return ids[name];
    const collection = creator.path === at.template ? at.target : creator.path;
    const id = await create(`${collection}${queryOf(creator)}`, bodyOf(creator));
    if (creator.streams) await onImport?.(Number(id), route);
    return id;
  }

  async function pathOf(route: Route): Promise<string> {
    let [target, template] = ['', ''];
    for (const part of route.path.split('/').slice(1)) {
      target += `/${part.startsWith('{') ? await idAt(part, { target, template }, route) : part}`;
      template += `/${part}`;
    }
    return `${target}${queryOf(route)}`;
  }

  const targets = new Map<string, string>(); // of routes that create and delete nothing
  return async (route) => {
    if (board === '') {
      topic = await create('/api/v2/topics', { name: 'First' });
      report = await create('/api/v2/saved_reports', { name: 'First', request: ONE_NUMBER });
      board = await create('/api/v2/boards', { name: 'First' });
    }
    const target = targets.get(route.name) ?? (await pathOf(route));
    if (route.success === 200) targets.set(route.name, target);
    return { target, body: bodyOf(route) };
  };
}
