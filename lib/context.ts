import type { Site } from './access/sites.ts';
import type { User } from './access/users.ts';
import type { Log } from './log.ts';
import type { Change, Collection, Collections } from './store/collection.ts';
import type { Partition } from './store/keys.ts';
import type { Table, Write } from './store/table.ts';

/** What a request is answered with, as it is kept for its repetitions. */
export interface Answer {
  readonly status: number;
  readonly body?: string; // JSON
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a request's work stands on. Time, ids and the table come from here and nowhere else. */
export interface Context {
  readonly site: Site;
  readonly user: User;
  readonly table: Table; // counts into this request's usage
  readonly collections: Collections;
  readonly now: number; // epoch ms the request arrived at
  readonly deadline: number; // epoch ms by which an answer must be on its way
  readonly clock: () => number; // epoch ms
  readonly newId: () => string; // a token nobody else has
  readonly log: Log;
  readonly origin: string; // `<scheme>://<host><stage>`, what a Location starts with
  /** What `make` gave once in this process: for memory that outlives a request. */
  shared<T>(make: () => T): T;
  /** The version of a collection that the route reads (its `reads`). */
  version(partition: Partition): number;
  /** The collection, loaded where this process does not have it. */
  open(partition: Partition): Promise<Collection>;
  /**
   * Writes what the request changes, once however often an answer of the table gets lost, with an entry of the audit. What
   * a request that creates will be answered with is kept for its repetitions. Throws `ConditionFailed` when overtaken.
   */
  commit(changes: readonly Change[], answer?: Answer, others?: readonly Write[]): Promise<void>;
  /** What goes beside changes in a transaction of the request's own, in the place of `commit`: the audit's entry and the kept answer. */
  beside(answer: Answer): readonly Write[];
  /** Checks a password of the user, within the bounds of a sign-in. Throws `too_many_requests` and `unavailable`. */
  checkPassword(password: string): Promise<boolean>;
}
