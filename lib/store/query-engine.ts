/** Runs statements over the files of a warehouse. */
export interface QueryEngine {
  /** Begins a query and returns its id; of calls with the same token all but the first only return the id. Throws `EngineBusy`. */
  start(sql: string, token: string): Promise<string>;
  /** How far a query is. Throws `EngineBusy`. */
  find(id: string): Promise<QueryState>;
  /** Ends a query; one that has ended stays as it is. Throws `EngineBusy`. */
  stop(id: string): Promise<void>;
}

export interface QueryState {
  readonly state: 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  readonly file: string; // the key of its rows, in the bucket
  readonly bytes: number; // read so far
  readonly ms: number; // that it has run
  readonly reason: string | undefined; // why it failed, for operators
  readonly isRetryable: boolean; // whether the same query may succeed
}

/** The engine takes no more calls now; nothing was done. */
export class EngineBusy extends Error {}
