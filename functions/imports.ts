import { openBucketStore } from '../lib/uploads/bucket.ts';
import { createImportRoutes } from '../lib/uploads/routes.ts';
import { objects } from './files.ts';
import { oauthKeys } from './oauth-keys.ts';
import { sendStep } from './steps.ts';
import { table } from './table.ts';
import { answer } from './wiring.ts';

/** Imports of files: the forms to send files with, the recognised formats, the progress. */
export const handler = answer(createImportRoutes(openBucketStore({ table, clock: Date.now, objects, sendStep })), {
  table,
  oauthKeys,
});
