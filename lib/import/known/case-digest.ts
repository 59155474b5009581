import { createHash, hash } from 'node:crypto';
import type { HeldRow } from '../formats/held-row.ts';
import type { Digest } from './known-cases.ts';

/** What mappings make of rows: to be raised where the same row comes to other events. */
const READING = 1;

/** A digest of a case's rows in the order of the file; `salt` stands for what they are read by. */
export type DigestOf = (rows: readonly HeldRow[]) => Digest;

/** Digests for rows that are read by these things: a mapping, the names of the columns, what is looked up. */
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
