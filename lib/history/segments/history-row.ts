import { inOrder, secondOf } from '../cases/case-history.ts';
import type { CaseRow, SessionRow } from '../cases/case-row.ts';
import { ALL_FACT_KINDS, extentOf, OLDER_KINDS, ROW_VERSION } from '../cases/case-row.ts';
import { type CaseEvent, type HistoryEvent, isMark, isOfAgent, type SessionEvent } from '../cases/event.ts';
import { caseRow, sessionRow } from '../cases/facts.ts';
import { agentSubject, caseSubject, hashOf, parseSubject, type Subject } from '../cases/subject.ts';
import { countedEvents } from '../cases/versions.ts';
import type { CaseTable } from './case-table.ts';
import type { RowPosition, SegmentKind } from './row-position.ts';
import { rowWeight, rowWeights } from './row-weight.ts';
import { openSegment, type SegmentHead } from './segment.ts';
import { encodePicked, encodeSegment } from './segment-encode.ts';
import { rowReader } from './segment-rows.ts';
import { encodeSessions, openSessions } from './session-segment.ts';

/** All that reports need to know of one subject: a case's row or an agent's. */
export type HistoryRow = CaseRow | SessionRow;

/** Identifies a row: its subject, and the first second, by which the segments that may hold it are found. */
export interface RowName {
  readonly second: number; // s, the row's first
  readonly subject: Subject;
}

/**
 * Computes a subject's row from all its events, no two of one source and id; undefined if there is nothing to count.
 */
export function rowOf(subject: Subject, events: readonly HistoryEvent[]): HistoryRow | undefined {
  const meant = parseSubject(subject);
  const row =
    'agent' in meant
      ? sessionRow(meant.agent, countedEvents(events.filter(isSession)))
      : caseRow(meant.case, inOrder(countedEvents(events.filter(isCaseEvent))));
  return factsIn(row) === 0 ? undefined : row;
}

const isSession = (event: HistoryEvent): event is SessionEvent => event.type === 'agent.session';
const isCaseEvent = (event: HistoryEvent): event is CaseEvent => !isOfAgent(event);
const isSessionRow = (row: HistoryRow): row is SessionRow => 'sessions' in row;
const isCaseRow = (row: HistoryRow): row is CaseRow => !isSessionRow(row);

export const kindOf = (row: HistoryRow): SegmentKind => (isSessionRow(row) ? 'sessions' : 'cases');

/** Returns how many facts a row has; for an agent, how many sessions. */
function factsIn(row: HistoryRow): number {
  if (isSessionRow(row)) return row.sessions.length;
  return ALL_FACT_KINDS.reduce((sum, kind) => sum + row.facts[kind].length, 0);
}

/** Returns the first and the last second that a row covers. */
export function extentIn(row: HistoryRow): { readonly start: number; readonly end: number } {
  return isSessionRow(row) ? { start: row.sessions[0]!.from, end: row.sessions.at(-1)!.to - 1 } : row;
}

/** The least weight of any row. */
export const LEAST_WEIGHT = 14;

/** Returns about how many bytes a row takes in a segment. */
export const weightOf = (row: HistoryRow): number => (isSessionRow(row) ? 8 + 6 * row.sessions.length : rowWeight(row));

export function nameOf(row: HistoryRow): RowName {
  const subject = isSessionRow(row) ? agentSubject(row.agent) : caseSubject(row.key);
  return { second: extentIn(row).start, subject };
}

export function rowPosition(row: HistoryRow): RowPosition {
  const { second, subject } = nameOf(row);
  return { second, hash: hashOf(subject) };
}

/** Returns the range of seconds that events cover, intervals included. The row of these events lies within it. */
export function extentOfEvents(events: readonly HistoryEvent[]): { readonly start: number; readonly end: number } {
  let start = Number.POSITIVE_INFINITY;
  let end = 0;
  for (const event of events) {
    if (isMark(event)) continue;
    start = Math.min(start, event.at);
    end = Math.max(end, event.at);
    if ('from' in event) {
      start = Math.min(start, event.from);
      end = Math.max(end, event.to);
    }
  }
  return { start: secondOf(start), end: secondOf(end) };
}

/**
 * Returns the names of a subject's row, and those it has in segments with older row versions if they differ. Empty if
 * the events make no row. Mostly the row need not be computed: a creation makes a fact, so if nothing is earlier, the
 * row begins with it.
 */
export function namesOfRow(subject: Subject, events: readonly HistoryEvent[]): readonly RowName[] {
  const counted = countedEvents(events);
  if (counted.length === 0) return [];
  const { start } = extentOfEvents(counted);
  if (counted.some(({ type, at }) => type === 'case.created' && secondOf(at) === start))
    return [{ second: start, subject }];
  const row = rowOf(subject, counted);
  if (row === undefined) return [];
  const name = nameOf(row);
  const older = isCaseRow(row) ? OLDER_KINDS.map((kinds) => extentOf(row.facts, name.second, kinds).start) : [];
  return [...new Set([name.second, ...older])].map((second) => ({ second, subject }));
}

/** Encodes a segment; the same set of rows gives the same bytes. */
export function encodeRows(kind: SegmentKind, rows: readonly HistoryRow[]): Uint8Array {
  return kind === 'sessions' ? encodeSessions(rows.filter(isSessionRow)) : encodeSegment(rows.filter(isCaseRow));
}

/** The rows of a segment, in its order. Columns are decoded on first use. */
export interface OpenRows {
  readonly head: Pick<SegmentHead, 'rows' | 'facts' | 'start' | 'end' | 'version'>;
  subjects(): readonly Subject[];
  seconds(): ArrayLike<number>; // s since 1970, the first second of each row
  weights(): readonly number[]; // as `weightOf` returns them
  row(at: number): HistoryRow;
  readonly table?: CaseTable; // only of a segment of cases
}

export function openRows(kind: SegmentKind, columns: Uint8Array): OpenRows {
  return kind === 'sessions' ? openSessionRows(columns) : openCaseRows(columns);
}

function openSessionRows(columns: Uint8Array): OpenRows {
  const segment = openSessions(columns);
  const rows = segment.rows();
  return {
    head: { ...segment.head, version: ROW_VERSION },
    subjects: () => rows.map(({ agent }) => agentSubject(agent)),
    seconds: () => rows.map((row) => extentIn(row).start),
    weights: () => rows.map(weightOf),
    row: (at) => rows[at]!,
  };
}

function openCaseRows(columns: Uint8Array): OpenRows {
  const segment = openSegment(columns);
  let read: ((at: number) => HistoryRow) | undefined;
  return {
    head: segment.head,
    subjects: () => segment.keys().map(caseSubject),
    seconds: () => Array.from(segment.starts(), (second) => segment.head.start + second),
    weights: () => rowWeights(segment),
    row: (at) => (read ??= rowReader(segment))(at),
    table: segment,
  };
}

/** Some rows of a segment. */
export interface PickedRows {
  readonly from: OpenRows;
  readonly rows: readonly number[];
}

/** Encodes a segment from rows of other segments; gives the same bytes as `encodeRows` of these rows. */
export function encodePickedRows(kind: SegmentKind, picked: readonly PickedRows[]): Uint8Array {
  if (kind === 'sessions')
    return encodeRows(
      kind,
      picked.flatMap(({ from, rows }) => rows.map(from.row)),
    );
  return encodePicked(picked.flatMap(({ from: { table }, rows }) => (table ? [{ table, rows }] : [])));
}
