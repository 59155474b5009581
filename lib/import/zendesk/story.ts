/** The state of a ticket while its updates are read in order. */
export interface Story {
  readonly ticket: string;
  requester: string | null;
  tags: readonly string[];
  isRated: boolean;
  timeSpent: number | undefined; // s, last value of the field that a time-tracking app fills; undefined: not seen yet
}

/** Makes the ids of an audit's events, which are the same in every stream. */
export interface AuditIds {
  /** Returns `zd:<audit>:<what>`; from the second time with `~1`, `~2`, … at its end. */
  readonly next: (what: string) => string;
}
