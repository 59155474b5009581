import type { ReadOAuthKeys } from '../access/oauth/oauth-secrets.ts';
import type { User } from '../access/users.ts';
import type { Log } from '../log.ts';
import type { Table } from '../store/table.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';
import type { Route } from './route.ts';
import type { DoTask } from './task.ts';

/** What the wiring passes in: time, ids, the table, and what this process serves. */
export interface Service {
  readonly routes: readonly Route[];
  readonly open: Readonly<Record<string, (request: Request) => Promise<Reply>>>; // GET paths without credentials
  readonly pages?: (request: Request) => Promise<Reply | undefined>; // pages for browsers, without credentials
  readonly table: Table;
  readonly apart?: DoTask | undefined; // does the work of exclusive routes, so that it holds up no other request; default: here
  readonly log: Log;
  readonly clock: () => number; // epoch ms
  readonly newId: () => string;
  readonly answerWithin: number; // ms a request may take
  readonly oauthKeys?: ReadOAuthKeys | undefined; // absent: no signature is right
  readonly isGuarded?: (user: User) => boolean; // users that sign in through this machine's own hosts alone; default: none
  readonly hasEngine?: boolean; // whether the deployment has an engine for large reports; default false
  readonly renewsHashes?: boolean; // whether it may write users, to hash a password at today's cost; default true
  readonly lease: number; // ms; the longest hold of the insights lock, longer than answerWithin
}
