import * as z from 'zod';
import type { Objects } from '../store/objects.ts';
import { LARGEST_IN_CLOUD, type RejectedFile, type UploadedFile, type UploadHouse } from './house.ts';
import { handOver, type TurnContext } from './turn.ts';

/** What an import needs done next, as the queue carries it. */
export interface Due {
  readonly site: string;
  readonly id: number;
}

const due = z.object({ site: z.string(), id: z.int() });

/** Reads a message of that queue. Throws where it is none. */
export const parseDue = (body: string): Due => due.parse(JSON.parse(body));

/** Where the files lie, and how somebody hears that an import has work to be done. */
export interface BucketOptions extends TurnContext {
  readonly objects: Objects;
  readonly tell: (due: Due) => Promise<void>;
}

const FORM_HOLDS = 3_600; // s: an upload that begins within them may end later

/** The key of a file. */
export const fileKey = ({ site, id }: Omit<UploadedFile, 'name'>): string => `files/${site}/${id}`;
/** The key of the lines that its last load rejected. */
export const rejectedKey = ({ site, id }: Omit<UploadedFile, 'name'>): string => `rejected/${site}/${id}`;

/** Removes a file and what its last load rejected. */
export async function dropObjects(objects: Objects, file: Omit<UploadedFile, 'name'>): Promise<void> {
  for (const key of [fileKey(file), rejectedKey(file)]) await objects.remove(key);
}

/** The house of a deployment: files go to a bucket by a form, and whoever hears of a work does it step by step. */
export function openBucketHouse({ objects, tell, ...context }: BucketOptions): UploadHouse {
  return {
    arrival: {
      invite: async (file, now) => {
        const form = await objects.form(fileKey(file), FORM_HOLDS, LARGEST_IN_CLOUD);
        return { ...form, largest: LARGEST_IN_CLOUD, expires: now + FORM_HOLDS * 1000 };
      },
      find: (file) => objects.find(fileKey(file)),
    },
    start: async (turn) => {
      await handOver(context, turn);
      await tell({ site: turn.site, id: turn.id });
    },
    readRejected: async (file): Promise<RejectedFile | undefined> => {
      const found = await objects.read(rejectedKey(file));
      return found && { type: found.type === 'text/csv' ? 'text/csv' : 'application/x-ndjson', body: found.text };
    },
    drop: (file) => dropObjects(objects, file),
  };
}
