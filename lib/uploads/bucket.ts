import * as z from 'zod';
import type { Objects } from '../store/objects.ts';
import { removalShape, type SourceRemoval } from './source-removal.ts';
import { handOver, type TurnContext } from './turn.ts';
import { LARGEST_IN_CLOUD, type RejectedFile, type UploadedFile, type UploadStore } from './upload-store.ts';

/** The import whose next step is due. */
export interface DueStep {
  readonly site: string;
  readonly id: number;
}

const due = z.object({ site: z.string(), id: z.int() });

/** A message of the queue. */
export type DueWork = DueStep | SourceRemoval;

/** Reads a message of the queue; throws if it is malformed. */
export const parseDue = (body: string): DueWork => z.union([due, removalShape]).parse(JSON.parse(body));

/** The bucket of the files, and a function that sends a message to the queue. */
export interface BucketOptions extends TurnContext {
  readonly objects: Objects;
  readonly sendStep: (due: DueWork) => Promise<void>;
}

const FORM_VALID = 3_600; // s; an upload must begin within them and may end later

/** The key of a file. */
export const fileKey = ({ site, id }: Omit<UploadedFile, 'name'>): string => `files/${site}/${id}`;
/** The key of the lines that the file's last load rejected. */
export const rejectedKey = ({ site, id }: Omit<UploadedFile, 'name'>): string => `rejected/${site}/${id}`;

/** Removes a file and the lines that its last load rejected. */
export async function dropObjects(objects: Objects, file: Omit<UploadedFile, 'name'>): Promise<void> {
  for (const key of [fileKey(file), rejectedKey(file)]) await objects.remove(key);
}

/**
 * The store of a deployment in the cloud: clients send files to a bucket by a form, and functions do the work step by
 * step.
 */
export function openBucketStore({ objects, sendStep, ...context }: BucketOptions): UploadStore {
  return {
    arrival: {
      invite: async (file, now) => {
        const form = await objects.form(fileKey(file), FORM_VALID, LARGEST_IN_CLOUD);
        return { ...form, largest: LARGEST_IN_CLOUD, expires: now + FORM_VALID * 1000 };
      },
      find: (file) => objects.find(fileKey(file)),
    },
    start: async (turn) => {
      await handOver(context, turn);
      await sendStep({ site: turn.site, id: turn.id });
    },
    removeSource: sendStep,
    readRejected: async (file): Promise<RejectedFile | undefined> => {
      const found = await objects.read(rejectedKey(file));
      return found && { type: found.type === 'text/csv' ? 'text/csv' : 'application/x-ndjson', body: found.text };
    },
    drop: (file) => dropObjects(objects, file),
  };
}
