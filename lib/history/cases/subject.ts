import { type CaseKey, type HistoryEvent, isOfAgent } from './event.ts';

/**
 * The case or agent that events belong to, as one string: `c` and the case's key, or `a` and the id of the agent who
 * had the sessions. The ledger stores cases and agents side by side.
 */
export type Subject = string;

/** Returns the events that a subject shall have; the same list if nothing changes. */
export type RewriteEvents = (subject: Subject, events: readonly HistoryEvent[]) => readonly HistoryEvent[];

export const SHARDS = 64; // directory shards of a site
const SHARD_BITS = 6;

export function subjectOf(event: HistoryEvent): Subject {
  return isOfAgent(event) ? agentSubject(event.agent) : caseSubject(event.case);
}

export const caseSubject = (key: CaseKey): Subject => `c${key}`;
export const agentSubject = (agent: number): Subject => `a${agent}`;

/** Whether a subject is a case or an agent. */
export const subjectKind = (subject: Subject): 'agent' | 'case' => (subject.startsWith('a') ? 'agent' : 'case');

/** Returns the case or the agent that a subject stands for. */
export function parseSubject(subject: Subject): { readonly case: CaseKey } | { readonly agent: number } {
  const rest = subject.slice(1);
  return subjectKind(subject) === 'agent' ? { agent: Number(rest) } : { case: rest };
}

/** Returns an evenly spread 32-bit unsigned hash: FNV-1a over UTF-16 units, then MurmurHash3's final mix. */
export function hashOf(subject: Subject): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < subject.length; i += 1) hash = Math.imul(hash ^ subject.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Returns the directory shard of a subject: the first six bits of its hash. */
export const shardOf = (subject: Subject): number => hashOf(subject) >>> (32 - SHARD_BITS);
