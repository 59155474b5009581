import type { History, LiveSegment } from '../../../lib/history/read.ts';

/** Collects all segments of a history. */
export async function allSegments({ segments }: History): Promise<LiveSegment[]> {
  const list: LiveSegment[] = [];
  for await (const part of segments) list.push(...part);
  return list;
}
