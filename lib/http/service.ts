import type { User } from '../access/users.ts';
import type { Log } from '../log.ts';
import type { Table } from '../store/table.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';
import type { Route } from './route.ts';
import type { SteadyReplies } from './steady-replies.ts';

/** What the wiring brings: time, ids, the table and what this process serves. */
export interface Service {
  readonly routes: readonly Route[];
  readonly open: Readonly<Record<string, (request: Request) => Promise<Reply>>>; // paths that GET answers without a site or credentials
  readonly pages?: (request: Request) => Promise<Reply | undefined>; // what a browser is shown, likewise
  readonly table: Table;
  readonly replies?: SteadyReplies; // for a table that gives the same object for an item that is unchanged
  readonly log: Log;
  readonly clock: () => number; // epoch ms
  readonly newId: () => string;
  readonly answerWithin: number; // ms a request may take
  readonly isGuarded?: (user: User) => boolean; // users that hosts which no site names do not reach; default nobody
  readonly lease: number; // ms the insights lock holds at most; longer than answerWithin
}
