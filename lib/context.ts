import type { Principal } from './access/principal.ts';
import type { Site } from './access/site-fields.ts';
import type { User } from './access/users.ts';
import type { Log } from './log.ts';
import type { Change, Collection, Collections } from './store/collection.ts';
import type { Partition } from './store/keys.ts';
import type { Table, Write } from './store/table.ts';

/** The answer to a request, kept for its repetitions. */
export interface Answer {
  readonly status: number;
  readonly body?: string; // JSON
  readonly headers?: Readonly<Record<string, string>>;
}

/** Everything a request's work depends on. Time, ids and the table come only from here. */
export interface Context {
  readonly site: Site;
  readonly user: User; // with the token's role, if a token was sent
  readonly actor: Principal; // the user with the credential, or the operator
  readonly table: Table; // counts its reads and writes for this request
  readonly collections: Collections;
  readonly now: number; // epoch ms; when the request arrived
  readonly deadline: number; // epoch ms; the answer must be sent by then
  readonly clock: () => number; // epoch ms
  readonly newId: () => string; // a unique token
  readonly log: Log;
  readonly hasEngine?: boolean; // whether the deployment has an engine for large reports
  readonly origin: string; // `<scheme>://<host><stage>`, the start of a Location header
  /** Returns the result of `make`, which runs once in this process: for memory that outlives a request. */
  shared<T>(make: () => T): T;
  /** The version of a collection that the route reads (its `reads`). */
  version(partition: Partition): number;
  /** Returns a collection, loading it if this process does not have its current version. */
  open(partition: Partition): Promise<Collection>;
  /**
   * Writes the request's changes with an entry of the audit, exactly once, even if an answer of the table gets lost.
   * The answer of a request that creates something is kept for its repetitions. Throws `ConditionFailed` if another
   * write came first.
   */
  commit(changes: readonly Change[], answer?: Answer, others?: readonly Write[]): Promise<void>;
  /** The audit's entry and the kept answer, for a request that writes its own transaction instead of `commit`. */
  beside(answer: Answer): readonly Write[];
  /** Checks a password of the user, counted like a sign-in. Throws `too_many_requests` and `unavailable`. */
  checkPassword(password: string): Promise<boolean>;
}
