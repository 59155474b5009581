/** The kinds of segments: rows of cases, or of agents' sessions. */
export const SEGMENT_KINDS = ['cases', 'sessions'] as const;
export type SegmentKind = (typeof SEGMENT_KINDS)[number];

/** The position of a row in the order of all rows of its kind: by first second, then by the hash of its subject. */
export interface RowPosition {
  readonly second: number; // s since 1970
  readonly hash: number; // 32 bits
}

export const comparePositions = (a: RowPosition, b: RowPosition): number => a.second - b.second || a.hash - b.hash;
