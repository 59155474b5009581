import { CASE_STATUSES } from '../../vocabulary.ts';
import { caseHistory } from './case-history.ts';
import type { CaseEvent, CaseKey } from './event.ts';
import { caseRow } from './facts.ts';

/** What reports count of one case, as help desks measure it, too; times in seconds since its creation. */
export interface CaseMeasures {
  readonly firstReply: number | null;
  readonly firstResolve: number | null;
  readonly lastResolve: number | null;
  readonly isDone: boolean;
  readonly reopens: number;
  readonly replies: number; // by agents
}

/** Measures a case by the facts that reports add up; the times are null if its creation is unknown. */
export function measureCase(key: CaseKey, events: readonly CaseEvent[]): CaseMeasures {
  const { facts, attributes } = caseRow(key, caseHistory(events));
  const created = facts.created[0]?.second;
  const since = (second: number | undefined): number | null =>
    second === undefined || created === undefined ? null : second - created;
  const status = CASE_STATUSES[attributes.status];
  return {
    firstReply: since(facts.outbound[0]?.second),
    firstResolve: since(facts.resolve[0]?.second),
    lastResolve: since(facts.resolve.at(-1)?.second),
    isDone: status === 'resolved' || status === 'closed',
    reopens: facts.reopen.length,
    replies: facts.outbound.length,
  };
}
