import type { User } from '../access/users.ts';
import type { Log } from '../log.ts';
import type { Table } from '../store/table.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';
import type { Route } from './route.ts';
import type { SteadyReplies } from './steady-replies.ts';

/** What the wiring passes in: time, ids, the table, and what this process serves. */
export interface Service {
  readonly routes: readonly Route[];
  readonly open: Readonly<Record<string, (request: Request) => Promise<Reply>>>; // GET paths without credentials
  readonly pages?: (request: Request) => Promise<Reply | undefined>; // pages for browsers, without credentials
  readonly table: Table;
  readonly replies?: SteadyReplies; // only for tables that return the same object for an unchanged item
  readonly log: Log;
  readonly clock: () => number; // epoch ms
  readonly newId: () => string;
  readonly answerWithin: number; // ms a request may take
  readonly isGuarded?: (user: User) => boolean; // users that cannot sign in through unknown hosts; default: none
  readonly lease: number; // ms; the longest hold of the insights lock, longer than answerWithin
}
