import { QUIET_SECONDS } from '../../history/cases/facts.ts';
import type { Segment } from '../../history/segments/segment.ts';
import { ATTRIBUTES } from '../../history/segments/segment-columns.ts';
import { CASE_STATUSES } from '../../vocabulary.ts';

/**
 * By resolve of a segment, 1 if a reopen later in the order of its case took it back within 14 days (docs/rules.md 15).
 * Resolves and reopens of a case alternate, so the last of both tells which reopen follows which resolve: a case that is
 * done now ends with a resolve. Their seconds alone do not tell, as both may lie in one second.
 */
export function reopenedResolves(segment: Segment): Uint8Array {
  const resolves = segment.facts('resolve');
  const reopens = segment.facts('reopen');
  const [resolvedAt, reopenedAt] = [resolves.seconds(), reopens.seconds()];
  const [resolvesOf, reopensOf] = [resolves.offsets(), reopens.offsets()];
  const statuses = segment.attribute('status');
  const isDone = [false, ...segment.dictionary(ATTRIBUTES.status).map((status) => DONE.has(status))];
  const reopened = new Uint8Array(resolves.count);
  for (let row = 0; row < segment.head.rows; row += 1) {
    const end = reopensOf[row + 1]!;
    if (reopensOf[row] === end) continue;
    const following = end - resolvesOf[row + 1]! + (isDone[statuses[row]!] ? 1 : 0); // from a resolve to its reopen
    for (let resolve = resolvesOf[row]!; resolve < resolvesOf[row + 1]!; resolve += 1) {
      const reopen = resolve + following;
      if (reopen < end && reopenedAt[reopen]! < resolvedAt[resolve]! + QUIET_SECONDS) reopened[resolve] = 1;
    }
  }
  return reopened;
}

const DONE: ReadonlySet<number> = new Set([CASE_STATUSES.indexOf('resolved'), CASE_STATUSES.indexOf('closed')]);
