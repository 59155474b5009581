/** A ticket on its way through its history. */
export interface Story {
  readonly ticket: string;
  requester: string | null;
  tags: readonly string[];
  isRated: boolean;
  timeSpent: number; // s, as the field that a time-tracking app fills says
}

/** The ids of events that an audit makes: the same whichever stream tells it. */
export interface AuditIds {
  /** `zd:<audit>:<what>`, with `~1` and so on where the same changes again. */
  readonly next: (what: string) => string;
}
