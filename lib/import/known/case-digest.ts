import { createHash, hash } from 'node:crypto';
import type { Digest } from './known-cases.ts';

/** Version of the code that turns rows into events; raise it when the same row leads to other events. */
const READING = 1;

/** A row of a case: its cells as one text, and whether it is joined without quotes. */
interface DigestedRow {
  readonly caseKey: string;
  readonly text: string;
  readonly plain: boolean;
}

/** Computes the digest of a case's rows, in the order of the file. */
export type DigestOf = (rows: readonly DigestedRow[]) => Digest;

/**
 * Returns a function that computes digests. They change with `readBy`, all that decides which events rows become: the
 * mapping, the names of the columns and so on.
 */
export function caseDigests(readBy: readonly unknown[]): DigestOf {
  const salt = createHash('sha256')
    .update(JSON.stringify([READING, ...readBy]))
    .digest('base64');
  return (rows) => {
    let text = `${salt}${rows[0]?.caseKey}`;
    for (const row of rows) text += `\n${row.plain ? '' : 'q'}\n${row.text}`;
    const bytes = hash('sha256', text, 'buffer');
    return { high: bytes.readUInt32LE(0), low: bytes.readUInt32LE(4) };
  };
}
