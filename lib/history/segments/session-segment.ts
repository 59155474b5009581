import * as z from 'zod';
import type { SessionRow } from '../cases/case-row.ts';
import { openColumnFile, writeColumnFile } from './column-file.ts';

/** The numbers of a session segment that the manifest stores. */
const SessionHead = z.object({
  kind: z.literal('sessions'),
  rows: z.int(), // agents
  facts: z.int(), // sessions
  start: z.int(), // s, inclusive
  end: z.int(), // s, the last second online
});

type SessionHead = z.infer<typeof SessionHead>;

/** The sessions of some agents. */
export interface SessionSegment {
  readonly head: SessionHead;
  rows(): readonly SessionRow[]; // by rising agent
}

/** Encodes a session segment; the same set of rows gives the same bytes. */
export function encodeSessions(unordered: readonly SessionRow[]): Uint8Array {
  const rows = [...unordered].sort((a, b) => a.agent - b.agent);
  const sessions = rows.flatMap((row) => row.sessions);
  const start = sessions.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY);
  const head: SessionHead = {
    kind: 'sessions',
    rows: rows.length,
    facts: sessions.length,
    start: sessions.length === 0 ? 0 : start,
    end: sessions.reduce((most, { to }) => Math.max(most, to - 1), 0),
  };
  const gaps = rows.flatMap((row) => row.sessions.map(({ from }, i) => from - (row.sessions[i - 1]?.to ?? head.start)));
  const numbers = {
    agent: rows.map(({ agent }) => agent),
    count: rows.map((row) => row.sessions.length),
    gap: gaps, // s since the end of the agent's session before; for the first since the segment's start
    length: sessions.map(({ from, to }) => to - from),
  };
  return writeColumnFile(head, numbers, {});
}

/** Opens the bytes that `encodeSessions` made. */
export function openSessions(bytes: Uint8Array): SessionSegment {
  const file = openColumnFile(bytes, SessionHead);
  const { head } = file;
  return {
    head,
    rows: () => {
      const [counts, gaps, lengths] = [file.numbers('count'), file.numbers('gap'), file.numbers('length')];
      let at = 0;
      return Array.from(file.numbers('agent'), (agent, row) => {
        let last = head.start;
        const sessions = Array.from({ length: counts[row]! }, () => {
          const from = last + gaps[at]!;
          last = from + lengths[at]!;
          at += 1;
          return { from, to: last };
        });
        return { agent, sessions };
      });
    },
  };
}
