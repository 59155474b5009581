import * as z from 'zod';
import { certain } from '../../certain.ts';
import { keys } from '../../store/keys.ts';
import type { Item } from '../../store/table.ts';
import { openColumnFile, writeColumnFile } from '../segments/column-file.ts';
import { BLOB_KINDS, type Blob, bytesOf } from './blobs.ts';

/** Blobs that a commit replaced. They stay for a while: a report that began before the commit may still read them. */
export interface Garbage {
  readonly since: number; // epoch ms
  readonly blobs: readonly Blob[];
}

/** Returns the item in which a commit records the blobs that it replaced. */
export function garbageItem(site: string, version: number, since: number, blobs: readonly Blob[]): Item {
  const numbers = {
    kind: blobs.map(({ kind }) => BLOB_KINDS.indexOf(kind)),
    id: blobs.map(({ id }) => id),
    parts: blobs.map(({ parts }) => parts),
  };
  return { ...keys.garbage(site, version), since, bytes: writeColumnFile({}, numbers, {}) };
}

/** Reads an item that `garbageItem` made. */
export function parseGarbage(item: Item): Garbage {
  const file = openColumnFile(certain(bytesOf(item)), z.object({}));
  const [kinds, parts] = [file.numbers('kind'), file.numbers('parts')];
  const blobs = Array.from(
    file.numbers('id'),
    (id, i): Blob => ({ kind: BLOB_KINDS[kinds[i]!]!, id, parts: parts[i]! }),
  );
  return { since: Number(item.since), blobs };
}
