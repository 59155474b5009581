import type { Context } from '../context.ts';
import { Failure, type FailureDetails, type FailureKind } from '../errors.ts';
import { describeError } from '../log.ts';
import { newShared } from '../memo.ts';
import { createCollections } from '../store/collection.ts';
import { keys } from '../store/keys.ts';
import { readItems } from '../store/read-items.ts';
import { newUsage, type Usage } from '../store/usage.ts';
import { dispatch, type RoutedRequest } from './dispatch.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';
import type { Route } from './route.ts';

/** What is settled about a request before its work. */
type AuthorizedRequest = Pick<Context, 'site' | 'user' | 'actor' | 'now' | 'deadline' | 'origin'>;

/**
 * The work of a request whose site, user, role and lock are settled, as plain data that can cross to another thread. It
 * goes to a thread of its own if it takes long: requests that come meanwhile are checked and refused where they arrive.
 */
export interface Task extends AuthorizedRequest {
  readonly route: string; // its name
  readonly params: Readonly<Record<string, string>>;
  readonly query: Request['query'];
  readonly pairs: Request['pairs'];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** The outcome of a task, as plain data, with what it used of the table. */
export type TaskOutcome = { readonly usage: Usage } & (
  | { readonly reply: Reply }
  | { readonly failure: FailureDetails & { readonly kind: FailureKind } }
  | { readonly error: string } // any other error, with its stack
);

/** Does a task; it rejects for no failure of the task itself. */
export type DoTask = (task: Task) => Promise<TaskOutcome>;

/** What tasks are done with. */
interface TaskTools extends Pick<Context, 'table' | 'log' | 'clock' | 'newId'> {
  readonly routes: readonly Route[];
}

/** Returns a function that does tasks by the routes that they name, with a memory of collections of its own. */
export function createTasks(tools: TaskTools): DoTask {
  const { table, log, clock, newId } = tools;
  const routes = new Map(tools.routes.map((route) => [route.name, route]));
  const ofService = { collections: createCollections(), shared: newShared(), log, clock, newId };

  async function replyTo(task: Task, usage: Usage): Promise<Reply> {
    const { params, query, pairs, headers, body, route: name, ...ofRequest } = task;
    const route = routes.get(name);
    if (route === undefined) throw new Error(`no route is named ${name}`);
    const context = { ...ofService, ...ofRequest, table: table.metered(usage), checkPassword: refuseCheck };
    const itemOf = await readItems(context.table, headKeys(route, task));
    const request = { headers, query, pairs, readStream: refuseStream };
    return dispatch({ route, request, params, body: Buffer.from(body) }, context, itemOf);
  }

  return async (task) => {
    const usage = newUsage();
    try {
      return { usage, reply: await replyTo(task, usage) };
    } catch (error) {
      if (!(error instanceof Failure)) return { usage, error: String(describeError(error).stack ?? error) };
      return { usage, failure: error.plain() };
    }
  };
}

/**
 * Has a request's work done apart, without its `Idempotency-Key`. Throws as it does here. Adds what the task used of the
 * table to `usage`.
 */
export async function doApart(
  apart: DoTask,
  { route, request, params, body }: RoutedRequest,
  settled: AuthorizedRequest,
  usage: Usage,
): Promise<Reply> {
  const { query, pairs, headers } = request;
  const { password: _, ...user } = settled.user; // its hash need not cross
  const outcome = await apart({ ...settled, user, route: route.name, params, query, pairs, headers, body });
  usage.trips += outcome.usage.trips;
  usage.readUnits += outcome.usage.readUnits;
  usage.writeUnits += outcome.usage.writeUnits;
  if ('reply' in outcome) return outcome.reply;
  if ('failure' in outcome) throw new Failure(outcome.failure.kind, outcome.failure);
  throw new Error(outcome.error);
}

const headKeys = (route: Route, { site, params }: Task) => route.reads(site.name, params).map(keys.head);

const refuseCheck = (): never => {
  throw new Error('a task checks no passwords');
};

const refuseStream = (): never => {
  throw new Error('a task has its whole body');
};
